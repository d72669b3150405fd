import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../../../core/delivery/delivery.ts';
import type { DeliveryLog } from '../../../../core/delivery/delivery-log.ts';
import type { WebhookEndpoint } from '../../../../core/delivery/sending/make-attempt.ts';
import type { Integration, IntegrationReader } from '../../../../core/integration/integration.ts';
import { InMemoryDeliveryLog } from '../../../support/delivery/in-memory-delivery-log.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
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
const counted = (
  wishes: Partial<Integration> = {},
  endpoint: WebhookEndpoint = new ScriptedWebhookEndpoint(),
) => {
  const stored = new InMemoryIntegrations(
    ...INTEGRATIONS.map((integration) => ({ ...integration, ...wishes })),
  );
  const log = new InMemoryDeliveryLog();
  const calls: string[] = [];
  const store: Pick<IntegrationReader, 'findAll'> = {
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
    list: (deliveries) => {
      calls.push(`${deliveries.length} listings of the log`);
      return log.list(deliveries);
    },
    confirmedSince: (integration, since) => {
      calls.push('a look for a success in the log');
      return log.confirmedSince(integration, since);
    },
  };
  const parts = { store, integrations: stored, deliveryLog, endpoint };
  return { calls, log, ...aDeliveringHandler(parts) };
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

  it('is listed in one call, without a look at the log, when it is to be pending', async () => {
    const { handler, calls, log } = counted({ active: false });
    expect(await handler(batchOf())).toEqual({ batchItemFailures: [] });
    expect(calls).toEqual(['10 integrations', '10 listings of the log']);
    expect(log.deliveries).toHaveLength(10);
  });
});

describe('a batch of ten deliveries for one integration, all of which are refused', () => {
  it('looks for a success of the integration once', async () => {
    const { handler, calls } = counted({}, new ScriptedWebhookEndpoint(() => answered(422)));
    const records = Array.from({ length: 10 }, (_, index) => {
      const event = anEventReference(`evt_${index}`);
      return deliveryRecord(`m${index}`, aDelivery({ integration: 'integration00', event }));
    });
    expect(await handler(aBatch(...records))).toEqual({ batchItemFailures: [] });
    expect(calls.filter((call) => call.startsWith('a look'))).toHaveLength(1);
  });
});
