import { buildGetIntegration } from '../../integration/get-integration.ts';
import type { IntegrationStore } from '../../integration/integration.ts';
import type { Delivery } from '../delivery.ts';
import type { Cursor } from '../delivery-log.ts';

/** A pending delivery, without its body. */
export type PendingDelivery = Pick<Delivery, 'account' | 'integration' | 'event'>;

export interface PendingPage {
  readonly deliveries: readonly PendingDelivery[];
  /** Absent at the end. */
  readonly next?: Cursor;
}

/** How many deliveries are pending; `isExact` is false where more may be pending. */
export interface PendingCount {
  readonly count: number;
  readonly isExact: boolean;
}

/** Reads pending events for the API. The port `PendingEvents` stores and removes them. */
export interface PendingView {
  /**
   * Oldest event first; strongly consistent. A page may have fewer deliveries than `limit` and
   * have a `next`.
   */
  page(integration: string, options: { limit: number; after?: Cursor }): Promise<PendingPage>;
  /** Counts up to `upTo`, and fewer where counting costs too much. May miss events just stored. */
  count(integration: string, upTo: number): Promise<PendingCount>;
  /** Strongly consistent. */
  isPending(delivery: PendingDelivery): Promise<boolean>;
}

const COUNTED_UP_TO = 10_000;

export type ListPendingEvents = (
  of: { account: string; id: string },
  page: { limit: number; after?: Cursor | undefined },
) => Promise<PendingPage & { readonly total?: PendingCount }>;

/**
 * A page of an integration's pending events, oldest first. Throws `not-found`.
 *
 * Pending events are counted only for a first page that has a next page. If every page were
 * counted, a caller who reads ten thousand events page by page would have all of them read a
 * hundred times.
 */
export const buildListPendingEvents = (ports: {
  integrations: IntegrationStore;
  pending: Pick<PendingView, 'page' | 'count'>;
}): ListPendingEvents => {
  const getIntegration = buildGetIntegration(ports);
  return async ({ account, id }, { limit, after }) => {
    await getIntegration(account, id);
    if (after !== undefined) return ports.pending.page(id, { limit, after });
    const page = await ports.pending.page(id, { limit });
    if (page.next === undefined) return page;
    return { ...page, total: await ports.pending.count(id, COUNTED_UP_TO) };
  };
};
