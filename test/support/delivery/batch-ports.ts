import type { BatchPorts } from '../../../core/delivery/attempt/deliver-webhook.ts';
import type { DeliveryLog } from '../../../core/delivery/delivery-log.ts';
import type { IntegrationStore } from '../../../core/integration/integration.ts';

/** A batch whose calls are made one by one. */
export const batchPorts = (
  findIntegration: IntegrationStore['find'],
  log: DeliveryLog,
): BatchPorts => ({
  findIntegration,
  readLog: async (delivery) => {
    const [logged = 'nothing'] = await log.read([delivery]);
    if (logged instanceof Error) throw logged;
    return logged;
  },
  writeLog: (entry) => log.write([entry]),
  listInLog: async (delivery) => {
    const [fault] = await log.list([delivery]);
    if (fault) throw fault;
  },
});
