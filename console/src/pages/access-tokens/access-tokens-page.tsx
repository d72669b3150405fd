import { Page } from '../../shell/page.tsx';

export const AccessTokensPage = () => <Page title="Access tokens">{null}</Page>;
