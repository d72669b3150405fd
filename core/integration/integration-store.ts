import type { IdempotencyRecord } from './idempotency.ts';
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

/** The record of an idempotency key, and the one that it replaces. */
export interface IdempotencyWrite {
  readonly record: IdempotencyRecord;
  readonly replaced: IdempotencyRecord | undefined;
}

export interface IntegrationWriter {
  /**
   * Adds the integration, and with it the record of its key, or neither: `exists` when the account
   * has an integration of that id, or the key another record than the one to be replaced, and
   * `no-account` while the account is being removed, and afterwards.
   */
  add(
    integration: Integration,
    keyed?: IdempotencyWrite,
  ): Promise<'added' | 'exists' | 'no-account'>;
  /** Stores it if the epoch is still that of `readAt`, and no trouble began since; whether it did. */
  replace(integration: Integration, readAt: Integration): Promise<boolean>;
  /**
   * Removes the integration if it is still in the epoch `readAt`, after it has noted who does; whether
   * it is gone.
   */
  remove(readAt: IntegrationEpoch, deletedBy: ChangedBy): Promise<boolean>;
}

/** A random share of the store: the part number `index`, from 0 on, of `of` parts. */
export interface StorePart {
  readonly index: number;
  readonly of: number;
}

/** Reads the whole store: for operators, and for no function. */
export interface EveryIntegration {
  /**
   * Each integration of the store, or of a part of it, once, in no particular order, after one that
   * may have been removed since. A page may be short, even empty; `next` is absent at the end only.
   */
  pageOfAll(
    after?: IntegrationKey,
    part?: StorePart,
  ): Promise<{
    integrations: readonly Integration[];
    next?: IntegrationKey;
  }>;
}
