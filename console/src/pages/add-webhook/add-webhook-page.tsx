import { Page } from '../../shell/page.tsx';

export const AddWebhookPage = () => <Page title="Add Webhook">{null}</Page>;
