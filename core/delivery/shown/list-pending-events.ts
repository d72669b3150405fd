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

/** How many deliveries are pending; `isExact` is false where there are more than were counted. */
export interface PendingCount {
  readonly count: number;
  readonly isExact: boolean;
}

/** Pending events as they are looked at; `PendingEvents` stores and replays them. */
export interface PendingView {
  /** Oldest first by when the events occurred; strongly consistent. May be short with a `next`. */
  page(integration: string, options: { limit: number; after?: Cursor }): Promise<PendingPage>;
  /** Counts no further than `upTo`, nor longer than is cheap. May miss what was just stored. */
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
 * Only the first page is counted, and only when it is not the whole: a caller who goes through ten
 * thousand events page by page would have them all read a hundred times.
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
