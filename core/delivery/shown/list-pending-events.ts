import type { IntegrationStore } from '../../integration/integration.ts';
import { buildGetIntegration } from '../../integration/read-integration.ts';
import type { Delivery } from '../delivery.ts';
import type { Cursor } from '../delivery-log.ts';

/** How deliveries are kept that are not queued: until the integration can take them, or set aside. */
export const KEPT_STATES = ['pending', 'set-aside'] as const;

export type KeptState = (typeof KEPT_STATES)[number];

/** The deliveries of an integration that are kept in one state. */
export interface Kept {
  readonly integration: string;
  readonly state: KeptState;
}

/** A pending delivery or a delivery that is set aside, without its body. */
export type PendingDelivery = Pick<Delivery, 'account' | 'integration' | 'event'>;

export interface PendingPage {
  readonly deliveries: readonly PendingDelivery[];
  /** Absent at the end. */
  readonly next?: Cursor;
}

/** How many deliveries are kept; `isExact` is false where more may be kept. */
export interface PendingCount {
  readonly count: number;
  readonly isExact: boolean;
}

/**
 * Reads pending events and what is set aside for the API. The ports `PendingEvents` and
 * `SetAsideEvents` store and remove both.
 */
export interface PendingView {
  /**
   * Oldest event first; strongly consistent. A page may have fewer deliveries than `limit` and
   * have a `next`.
   */
  page(kept: Kept, options: { limit: number; after?: Cursor }): Promise<PendingPage>;
  /** Counts up to `upTo`, and fewer where counting costs too much. May miss events just stored. */
  count(kept: Kept, upTo: number): Promise<PendingCount>;
  /** Strongly consistent. A delivery that was set aside and resent can be kept in both states. */
  isKept(delivery: PendingDelivery, state: KeptState): Promise<boolean>;
}

const COUNTED_UP_TO = 10_000;

export type ListPendingEvents = (
  of: { account: string; id: string },
  page: { state: KeptState; limit: number; after?: Cursor | undefined },
) => Promise<PendingPage & { readonly total?: PendingCount }>;

/**
 * A page of an integration's pending events, or of what is set aside, oldest first. Throws
 * `not-found`.
 *
 * Events are counted only for a first page that has a next page. If every page were
 * counted, a caller who reads ten thousand events page by page would have all of them read a
 * hundred times.
 */
export const buildListPendingEvents = (ports: {
  integrations: IntegrationStore;
  pending: Pick<PendingView, 'page' | 'count'>;
}): ListPendingEvents => {
  const getIntegration = buildGetIntegration(ports);
  return async ({ account, id }, { state, limit, after }) => {
    await getIntegration(account, id);
    const kept = { integration: id, state };
    if (after !== undefined) return ports.pending.page(kept, { limit, after });
    const page = await ports.pending.page(kept, { limit });
    if (page.next === undefined) return page;
    return { ...page, total: await ports.pending.count(kept, COUNTED_UP_TO) };
  };
};
