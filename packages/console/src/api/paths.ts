/** The last part of a document's path: the id of an integration, the name of an account. */
export const nameIn = (path: string): string => decodeURIComponent(path.split('/').at(-1) ?? '');

export const accountPath = (account: string): string => `/accounts/${encodeURIComponent(account)}`;

export const integrationsPath = (account: string): string =>
  `/${encodeURIComponent(account)}/integrations`;

export const tokensPath = (account: string): string =>
  `/${encodeURIComponent(account)}/access-tokens`;

export const searchPath = (account: string): string => `/${encodeURIComponent(account)}/deliveries`;

export const changesPath = (account: string): string => `/${encodeURIComponent(account)}/changes`;

export const integrationPath = (id: string): string => `/integrations/${id}`;

export const deliveryPath = (id: string, event: string): string =>
  `${integrationPath(id)}/deliveries/${encodeURIComponent(event)}`;
