import { Page } from '../../shell/page.tsx';

export const WebhookPage = () => <Page title="Webhook">{null}</Page>;
