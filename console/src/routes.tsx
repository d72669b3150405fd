import { createRootRoute, createRoute, createRouter, Navigate } from '@tanstack/react-router';
import { AccessTokensPage } from './pages/access-tokens/access-tokens-page.tsx';
import { AccountPage } from './pages/accounts/account-page.tsx';
import { AccountsPage } from './pages/accounts/accounts-page.tsx';
import { SettingsPage } from './pages/accounts/settings-page.tsx';
import { AddWebhookPage } from './pages/add-webhook/add-webhook-page.tsx';
import { EventTypesPage } from './pages/event-types/event-types-page.tsx';
import { IntegrationsPage } from './pages/integrations/integrations-page.tsx';
import { UsersPage } from './pages/users/users-page.tsx';
import { WebhookPage } from './pages/webhook/webhook-page.tsx';
import { readWebhookSearch } from './pages/webhook/webhook-search.ts';
import { NotFoundPage } from './shell/not-found-page.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage });
const under = <Path extends string>(path: Path, component: () => React.ReactNode) =>
  createRoute({ getParentRoute: () => root, path, component });

const home = under('/', () => <Navigate to="/accounts" replace />);
const accounts = under('/accounts', AccountsPage);
const account = under('/accounts/$account', AccountPage);
const settings = under('/accounts/$account/settings', SettingsPage);
const integrations = under('/accounts/$account/settings/integrations', IntegrationsPage);
const addWebhook = under('/accounts/$account/settings/integrations/new', AddWebhookPage);
const accessTokens = under('/accounts/$account/settings/access-tokens', AccessTokensPage);
const users = under('/accounts/$account/settings/users', UsersPage);
const eventTypes = under('/event-types', EventTypesPage);

const webhookRoute = createRoute({
  getParentRoute: () => root,
  path: '/accounts/$account/settings/integrations/$id',
  validateSearch: readWebhookSearch,
  component: WebhookPage,
});

/** Every page is in the first load: there is nothing to fetch but data when one is opened. */
const routeTree = root.addChildren([
  home,
  accounts,
  account,
  settings,
  integrations,
  addWebhook,
  accessTokens,
  users,
  eventTypes,
  webhookRoute,
]);

export const createConsoleRouter = () => createRouter({ routeTree, scrollRestoration: true });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
