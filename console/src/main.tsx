import './base.css';
import 'virtual:theme.css';
import { createRoot } from 'react-dom/client';

const place = document.getElementById('console');
if (place !== null) createRoot(place).render(<p>Messaging</p>);
