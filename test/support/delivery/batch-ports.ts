import type { DeliveryLog } from '../../../core/delivery/delivery-log.ts';
import type { WatchAttempt } from '../../../core/delivery/lanes.ts';
import type { BatchPorts } from '../../../core/delivery/sending/deliver-webhook.ts';
import type { IntegrationReader } from '../../../core/integration/integration.ts';

/** A batch whose calls are made one by one. */
export const batchPorts = (
  findIntegration: IntegrationReader['find'],
  log: DeliveryLog,
  watchAttempt: WatchAttempt = (_, attempt) => attempt,
): BatchPorts => ({
  findIntegration,
  readLog: async (delivery) => {
    const [reading = { logged: 'nothing' as const }] = await log.read([delivery]);
    if (reading instanceof Error) throw reading;
    return reading;
  },
  confirmedSince: (id, since) => log.confirmedSince(id, since),
  watchAttempt,
  writeLog: (entry) => log.write([entry]),
  listInLog: async (delivery) => {
    const [fault] = await log.list([delivery]);
    if (fault) throw fault;
  },
});
