import { Page } from '../../shell/page.tsx';

export const AccountsPage = () => <Page title="Accounts">{null}</Page>;
