import { createGetIntegration } from '../integrations/get-integration.ts';
import type { IntegrationStore } from '../integrations/integration.ts';
import type { Cursor, DeliveryFilter, DeliveryHistory, DeliveryPage } from './delivery-log.ts';

export type ListDeliveries = (
  of: { account: string; id: string },
  page: { filter: DeliveryFilter; limit: number; after?: Cursor | undefined },
) => Promise<DeliveryPage>;

/** A page of an integration's delivery log, newest first. Throws `not-found`. */
export const createListDeliveries = (ports: {
  integrations: IntegrationStore;
  history: Pick<DeliveryHistory, 'newest'>;
}): ListDeliveries => {
  const getIntegration = createGetIntegration(ports);
  return async ({ account, id }, { filter, limit, after }) => {
    await getIntegration(account, id);
    return ports.history.newest(id, { filter, limit, ...(after !== undefined && { after }) });
  };
};
