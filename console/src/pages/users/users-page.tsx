import { Page } from '../../shell/page.tsx';

export const UsersPage = () => <Page title="Users">{null}</Page>;
