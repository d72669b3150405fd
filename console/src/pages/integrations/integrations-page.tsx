import { Page } from '../../shell/page.tsx';

export const IntegrationsPage = () => <Page title="Webhooks">{null}</Page>;
