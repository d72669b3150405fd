import { createGetIntegration } from '../integrations/get-integration.ts';
import type { IntegrationStore } from '../integrations/integration.ts';
import type { Cursor } from './delivery-log.ts';
import type { PendingCount, PendingPage, PendingView } from './pending-view.ts';

const COUNTED_UP_TO = 10_000;

export type ListPendingEvents = (
  of: { account: string; id: string },
  page: { limit: number; after?: Cursor | undefined },
) => Promise<PendingPage & { readonly total?: PendingCount }>;

/**
 * A page of what waits for an integration, oldest first. Throws `not-found`.
 *
 * Only the first page is counted, and only when it is not the whole: a caller who goes through ten
 * thousand events page by page would have them all read a hundred times.
 */
export const createListPendingEvents = (ports: {
  integrations: IntegrationStore;
  pending: Pick<PendingView, 'page' | 'count'>;
}): ListPendingEvents => {
  const getIntegration = createGetIntegration(ports);
  return async ({ account, id }, { limit, after }) => {
    await getIntegration(account, id);
    if (after !== undefined) return ports.pending.page(id, { limit, after });
    const page = await ports.pending.page(id, { limit });
    if (page.next === undefined) return page;
    return { ...page, total: await ports.pending.count(id, COUNTED_UP_TO) };
  };
};
