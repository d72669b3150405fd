import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../../../core/delivery/delivery.ts';
import type { DeliveryLog } from '../../../../core/delivery/delivery-log.ts';
import type { IntegrationBatches } from '../../../../core/integration/integration.ts';
import { InMemoryDeliveryLog } from '../../../support/delivery/in-memory-delivery-log.ts';
import { aDelivery, anEventReference } from '../../../support/event/platform-events.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { aDeliveringHandler } from '../../../support/lambdas/delivering-handler.ts';
import { aBatch, deliveryRecord } from '../../../support/lambdas/sqs-batches.ts';

/** Ten integrations, and a delivery for each. */
const INTEGRATIONS = Array.from({ length: 10 }, (_, index) =>
  anIntegration({ id: `integration0${index}` }),
);

const batchOf = (wishes: Partial<Delivery> = {}) =>
  aBatch(
    ...INTEGRATIONS.map(({ id }, index) => {
      const event = anEventReference(`evt_${index}`);
      return deliveryRecord(`m${index}`, aDelivery({ integration: id, event, ...wishes }));
    }),
  );

/** Counts how many keys or entries each call has. */
const counted = () => {
  const stored = new InMemoryIntegrations(...INTEGRATIONS);
  const log = new InMemoryDeliveryLog();
  const calls: string[] = [];
  const store: IntegrationBatches = {
    findAll: (keys) => {
      calls.push(`${keys.length} integrations`);
      return stored.findAll(keys);
    },
  };
  const deliveryLog: DeliveryLog = {
    read: (deliveries) => {
      calls.push(`${deliveries.length} reads of the log`);
      return log.read(deliveries);
    },
    write: (entries) => {
      calls.push(`${entries.length} writes of the log`);
      return log.write(entries);
    },
  };
  return { calls, log, ...aDeliveringHandler({ store, integrations: stored, deliveryLog }) };
};

describe('a batch of ten deliveries for ten integrations', () => {
  it('is delivered with one read and one write', async () => {
    const { handler, calls, log } = counted();
    expect(await handler(batchOf())).toEqual({ batchItemFailures: [] });
    expect(calls).toEqual(['10 integrations', '10 writes of the log']);
    expect(log.attempts).toHaveLength(10);
  });

  it('is replayed with one read of each table, and one write', async () => {
    const { handler, calls } = counted();
    expect(await handler(batchOf({ trigger: 'replay' }))).toEqual({ batchItemFailures: [] });
    expect(calls.toSorted()).toEqual([
      '10 integrations',
      '10 reads of the log',
      '10 writes of the log',
    ]);
  });
});
