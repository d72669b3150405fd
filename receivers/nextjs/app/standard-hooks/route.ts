export { POST } from '../hooks/route';
