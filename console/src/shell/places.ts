const account = (name: string): string => `/accounts/${encodeURIComponent(name)}`;
const settings = (name: string): string => `${account(name)}/settings`;
const integrations = (name: string): string => `${settings(name)}/integrations`;

/** The fragment that leads to the choice of what a refused event does, in a webhook's settings. */
export const FATAL_ERROR_CHOICE = 'on-fatal-error';

/** The addresses of the console's pages. */
export const PLACES = {
  accounts: '/accounts',
  account,
  settings,
  integrations,
  addWebhook: (name: string): string => `${integrations(name)}/new`,
  webhook: (name: string, id: string): string => `${integrations(name)}/${encodeURIComponent(id)}`,
  fatalErrorChoice: (name: string, id: string): string =>
    `${PLACES.webhook(name, id)}?tab=settings#${FATAL_ERROR_CHOICE}`,
  accessTokens: (name: string): string => `${settings(name)}/access-tokens`,
  users: (name: string): string => `${settings(name)}/users`,
  eventTypes: '/event-types',
};

/** The pages above a page of an account's settings, for its breadcrumbs. */
export const crumbsTo = {
  account: () => [{ text: 'Accounts', href: PLACES.accounts }],
  settings: (name: string) => [...crumbsTo.account(), { text: name, href: PLACES.account(name) }],
  insideSettings: (name: string) => [
    ...crumbsTo.settings(name),
    { text: 'Account Settings', href: PLACES.settings(name) },
  ],
  insideIntegrations: (name: string) => [
    ...crumbsTo.insideSettings(name),
    { text: 'Integrations', href: PLACES.integrations(name) },
  ],
};
