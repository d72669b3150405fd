/** Names what is read, so that a change can have the reads of it repeated. */
export const QUERIES = {
  me: ['me'],
  accounts: ['accounts'],
  account: (name: string) => ['accounts', name],
  eventTypes: ['event-types'],
  users: (account: string) => ['users', account],
  accessTokens: (account: string) => ['access-tokens', account],
  integrations: (account: string) => ['integrations', account],
  /** Of everything that is read of one webhook. */
  webhook: (id: string) => ['webhook', id],
  integration: (id: string) => ['webhook', id, 'integration'],
  statistics: (id: string) => ['webhook', id, 'statistics'],
} as const;
