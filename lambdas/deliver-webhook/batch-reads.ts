import DataLoader from 'dataloader';
import type { BatchPorts } from '../../core/delivery/attempt/deliver-webhook.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { DeliveryLog, KnownLogged } from '../../core/delivery/delivery-log.ts';
import type { Integration, IntegrationBatches } from '../../core/integration/integration.ts';

/**
 * The reads of one batch: all records ask at the same time, so each table is asked once. An
 * integration is read once, however many records ask. Called anew for every batch, so that nothing
 * about an integration is cached across invocations.
 */
export const createBatchReads = (deps: {
  integrations: IntegrationBatches;
  deliveryLog: Pick<DeliveryLog, 'read'>;
}): Pick<BatchPorts, 'findIntegration' | 'readLog'> => {
  const integrations = new DataLoader<
    { account: string; id: string },
    Integration | undefined,
    string
  >((keys) => deps.integrations.findAll(keys), {
    cacheKeyFn: ({ account, id }) => `${account} ${id}`,
  });
  const logged = new DataLoader<Delivery, KnownLogged>(
    (deliveries) => deps.deliveryLog.read(deliveries),
    { cache: false },
  );
  return {
    findIntegration: (account, id) => integrations.load({ account, id }),
    readLog: (delivery) => logged.load(delivery),
  };
};
