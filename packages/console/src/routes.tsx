import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { AccessTokensPage } from './pages/access-tokens/access-tokens-page.tsx';
import { AccountPage, KnownAccount } from './pages/accounts/account-page.tsx';
import { AccountsPage } from './pages/accounts/accounts-page.tsx';
import { SettingsPage } from './pages/accounts/settings-page.tsx';
import { ActivityPage } from './pages/activity/activity-page.tsx';
import { AddWebhookPage } from './pages/add-webhook/add-webhook-page.tsx';
import { EventTypesPage } from './pages/event-types/event-types-page.tsx';
import { IntegrationsPage } from './pages/integrations/integrations-page.tsx';
import { UsersPage } from './pages/users/users-page.tsx';
import { WebhookPage } from './pages/webhook/webhook-page.tsx';
import { readWebhookSearch } from './pages/webhook/webhook-search.ts';
import { readChangeFilter } from './shared/change-words.ts';
import { SEARCH_TEXT } from './shared/search-text.ts';
import { readSearchedId } from './shared/searched-id.ts';
import { NotFoundPage } from './shell/not-found-page.tsx';
import { Shell } from './shell/shell.tsx';
import { Start } from './shell/start.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage });
const under = <Path extends string>(path: Path, component: () => React.ReactNode) =>
  createRoute({ getParentRoute: () => root, path, component });
const ofAccount = createRoute({
  getParentRoute: () => root,
  id: 'account',
  component: KnownAccount,
});
const underAccount = <Path extends string>(path: Path, component: () => React.ReactNode) =>
  createRoute({ getParentRoute: () => ofAccount, path: `/accounts/$account${path}`, component });

/** All pages are in one bundle, so that opening a page loads nothing but data. */
const routeTree = root.addChildren([
  under('/', Start),
  under('/accounts', AccountsPage),
  under('/event-types', EventTypesPage),
  ofAccount.addChildren([
    underAccount('/', AccountPage),
    underAccount('/settings', SettingsPage),
    underAccount('/settings/integrations/new', AddWebhookPage),
    underAccount('/settings/access-tokens', AccessTokensPage),
    underAccount('/settings/users', UsersPage),
    createRoute({
      getParentRoute: () => ofAccount,
      path: '/accounts/$account/settings/integrations',
      validateSearch: readSearchedId,
      component: IntegrationsPage,
    }),
    createRoute({
      getParentRoute: () => ofAccount,
      path: '/accounts/$account/settings/activity',
      validateSearch: readChangeFilter,
      component: ActivityPage,
    }),
    createRoute({
      getParentRoute: () => ofAccount,
      path: '/accounts/$account/settings/integrations/$id',
      validateSearch: readWebhookSearch,
      component: WebhookPage,
    }),
  ]),
]);

export const createConsoleRouter = () =>
  createRouter({ routeTree, scrollRestoration: true, ...SEARCH_TEXT });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
