import DataLoader from 'dataloader';
import type { Delivery } from '../../../core/delivery/delivery.ts';
import type { DeliveryLog, LogReading } from '../../../core/delivery/delivery-log.ts';
import type { BatchPorts } from '../../../core/delivery/sending/deliver-webhook.ts';
import type { Integration, IntegrationReader } from '../../../core/integration/integration.ts';

/** How much of an instant, as `toISOString` writes it, tells its minute. */
const MINUTE = 16;

/**
 * The reads of one batch. All records read at the same time, so each table gets one call, and each
 * integration is read once. Created for every batch, so that nothing is cached across invocations.
 */
export const createBatchReads = (deps: {
  integrations: Pick<IntegrationReader, 'findAll'>;
  deliveryLog: Pick<DeliveryLog, 'read' | 'confirmedSince'>;
}): Pick<BatchPorts, 'findIntegration' | 'readLog' | 'confirmedSince'> => {
  const integrations = new DataLoader<
    { account: string; id: string },
    Integration | undefined,
    string
  >((keys) => deps.integrations.findAll(keys), {
    cacheKeyFn: ({ account, id }) => `${account} ${id}`,
  });
  const logged = new DataLoader<Delivery, LogReading>(
    (deliveries) => deps.deliveryLog.read(deliveries),
    { cache: false },
  );
  // The refusals of a batch ask about almost the same hour.
  const confirmations = new Map<string, Promise<boolean>>();
  return {
    confirmedSince: (id, since) => {
      const key = `${id} ${since.toISOString().slice(0, MINUTE)}`;
      const asked = confirmations.get(key) ?? deps.deliveryLog.confirmedSince(id, since);
      confirmations.set(key, asked);
      return asked;
    },
    findIntegration: (account, id) => integrations.load({ account, id }),
    readLog: (delivery) => logged.load(delivery),
  };
};
