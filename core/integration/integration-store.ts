import type { ChangedBy, Integration, IntegrationEpoch, IntegrationKey } from './integration.ts';

/** Lists the integrations of an account, strongly consistent. */
export interface IntegrationLists {
  listOf(account: string): Promise<readonly Integration[]>;
  /** In the order of ids, after the id `after`. Fewer than `limit` only at the end. */
  pageOf(
    account: string,
    options: { limit: number; after?: string | undefined },
  ): Promise<readonly Integration[]>;
  countOf(account: string): Promise<number>;
}

/** What routing needs of an integration. */
export type Subscription = Pick<
  Integration,
  'id' | 'active' | 'inactiveSince' | 'settings' | 'slowness'
>;

/** Reads the integrations of an account for routing, strongly consistent. */
export interface Subscriptions {
  ofAccount(account: string): Promise<readonly Subscription[]>;
}

export interface IntegrationWriter {
  /**
   * `exists` when the account has an integration of that id already, which stays as it is;
   * `unclaimed` when the record of its `idempotencyKey` is released or names another integration.
   */
  add(integration: Integration): Promise<'added' | 'exists' | 'unclaimed'>;
  /** Stores it if the epoch is still that of `readAt`, and no trouble began since; whether it did. */
  replace(integration: Integration, readAt: Integration): Promise<boolean>;
  /**
   * Removes the integration if it is still in the epoch `readAt`, after it has noted who does; whether
   * it is gone.
   */
  remove(readAt: IntegrationEpoch, deletedBy: ChangedBy): Promise<boolean>;
}

/** Reads the whole store: for operators, and for no function. */
export interface EveryIntegration {
  /**
   * Each integration once, in no particular order, after one that may have been removed since. A
   * page may be short, even empty; `next` is absent at the end only.
   */
  pageOfAll(after?: IntegrationKey): Promise<{
    integrations: readonly Integration[];
    next?: IntegrationKey;
  }>;
}
