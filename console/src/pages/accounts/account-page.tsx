import { Page } from '../../shell/page.tsx';

export const AccountPage = () => <Page title="Account">{null}</Page>;
