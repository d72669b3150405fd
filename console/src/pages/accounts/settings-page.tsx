import { Page } from '../../shell/page.tsx';

export const SettingsPage = () => <Page title="Account Settings">{null}</Page>;
