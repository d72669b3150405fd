import type { IntegrationStore } from '../../integration/integration.ts';
import { buildGetIntegration } from '../../integration/read-integration.ts';
import { collectionOf } from '../../json-ld/collection.ts';
import type { Cursor, DeliveryFilter, DeliveryLogReader, DeliveryPage } from '../delivery-log.ts';
import { deliveryResource } from './delivery-resource.ts';

export const deliveryCollection = collectionOf(deliveryResource, {
  id: 'DeliveryCollection',
  description: 'A page of deliveries.',
});

export type ListDeliveries = (
  of: { account: string; id: string },
  page: { filter: DeliveryFilter; limit: number; after?: Cursor | undefined },
) => Promise<DeliveryPage>;

/** A page of an integration's delivery log, newest first. Throws `not-found`. */
export const buildListDeliveries = (ports: {
  integrations: IntegrationStore;
  log: Pick<DeliveryLogReader, 'newest'>;
}): ListDeliveries => {
  const getIntegration = buildGetIntegration(ports);
  return async ({ account, id }, { filter, limit, after }) => {
    await getIntegration(account, id);
    return ports.log.newest(id, { filter, limit, ...(after !== undefined && { after }) });
  };
};
