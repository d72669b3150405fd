const account = (name: string): string => `/accounts/${encodeURIComponent(name)}`;
const settings = (name: string): string => `${account(name)}/settings`;
const integrations = (name: string): string => `${settings(name)}/integrations`;

/** The URL fragment of the choice between pausing and continuing, in a webhook's settings. */
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
  activity: (name: string): string => `${settings(name)}/activity`,
  activityOf: (name: string, id: string): string =>
    `${PLACES.activity(name)}?integration=${encodeURIComponent(id)}`,
  accessTokens: (name: string): string => `${settings(name)}/access-tokens`,
  users: (name: string): string => `${settings(name)}/users`,
  eventTypes: '/event-types',
};
