import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../../../core/delivery/delivery.ts';
import type { LogEntry } from '../../../../core/delivery/delivery-log.ts';
import { createDeliveryBatch } from '../../../../core/delivery/sending/delivery-batch.ts';
import type { IntegrationReader } from '../../../../core/integration/integration.ts';
import { anAttempt } from '../../../support/delivery/attempts.ts';
import { InMemoryDeadLetters } from '../../../support/delivery/in-memory-dead-letters.ts';
import { InMemoryDeliveryLog } from '../../../support/delivery/in-memory-delivery-log.ts';
import { InMemoryReplayRequests } from '../../../support/delivery/pending/in-memory-replay-requests.ts';
import { ScriptedWebhookEndpoint } from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { aDelivery, anEventReference } from '../../../support/event/platform-events.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import {
  aDeliveringHandler,
  answering,
  recordOf,
} from '../../../support/lambdas/delivering-handler.ts';
import { ALL_DONE, kept } from '../../../support/lambdas/queue-functions.ts';

const INTEGRATIONS = Array.from({ length: 10 }, (_, index) =>
  anIntegration({ id: `integration0${index}` }),
);

/** A delivery for each integration. */
const batchOf = (overrides: Partial<Delivery> = {}) =>
  INTEGRATIONS.map(({ id }, index) => recordOf(`evt_${index}`, { integration: id, ...overrides }));

/** Counts the keys or entries of each call. */
const counted = ({ active = true, endpoint = new ScriptedWebhookEndpoint() } = {}) => {
  const stored = INTEGRATIONS.map((integration) => ({ ...integration, active }));
  const integrations = new InMemoryIntegrations(...stored);
  const deliveryLog = new InMemoryDeliveryLog();
  const calls: string[] = [];
  const counting = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get: (target, name) => {
        const member = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]) => {
          const [keys] = given;
          calls.push(Array.isArray(keys) ? `${String(name)} ${keys.length}` : String(name));
          return Reflect.apply(member, target, given);
        };
      },
    });
  const ports = { integrations, store: counting(integrations), deliveryLog: counting(deliveryLog) };
  return { calls, deliveryLog, ...aDeliveringHandler({ ...ports, endpoint }) };
};

describe('A batch of ten deliveries', () => {
  it.each([
    ['are new', {}, true, ['findAll 10', 'write 10']],
    ['are replayed', { trigger: 'replay' }, true, ['findAll 10', 'read 10', 'write 10']],
    ['are to be pending', {}, false, ['findAll 10', 'list 10']],
  ] as const)('makes one call of each kind if they %s', async (...row) => {
    const [, overrides, active, expected] = row;
    const { deliver, calls, deliveryLog } = counted({ active });
    expect(await deliver(...batchOf(overrides))).toEqual(ALL_DONE);
    expect(calls.toSorted()).toEqual(expected);
    expect(deliveryLog.deliveries).toHaveLength(10);
    expect(deliveryLog.attempts).toHaveLength(active ? 10 : 0);
  });

  it('looks once for a success of an integration that refuses all of them', async () => {
    const { deliver, calls } = counted({ endpoint: answering(422) });
    expect(await deliver(...batchOf({ integration: 'integration00' }))).toEqual(ALL_DONE);
    expect(calls.filter((call) => call === 'confirmedSince')).toHaveLength(1);
  });

  it('has the settings of one read, and the next batch those of another', async () => {
    let reads = 0;
    const store: Pick<IntegrationReader, 'findAll'> = {
      findAll: async (keys) => {
        reads += 1;
        const { config } = anIntegration();
        const baseUrl = `https://hooks.example.com/${reads}`;
        return keys.map((key) => anIntegration({ ...key, config: { ...config, baseUrl } }));
      },
    };
    const endpoint = new ScriptedWebhookEndpoint();
    const { deliver } = aDeliveringHandler({ store, endpoint });
    await deliver(recordOf('a'), recordOf('b'));
    await deliver(recordOf('c'), recordOf('d'));
    const [first, second, third, fourth] = endpoint.requests.map(({ url }) => url);
    expect([second, fourth]).toEqual([first, third]);
    expect(third).not.toBe(first);
  });

  it('keeps the deliveries whose integration cannot be read, and no others', async () => {
    const store: Pick<IntegrationReader, 'findAll'> = {
      findAll: async (keys) =>
        keys.map((key) => (key.id === 'bbbb' ? new Error('throttled') : anIntegration(key))),
    };
    const endpoint = new ScriptedWebhookEndpoint();
    const deadLetters = new InMemoryDeadLetters();
    const { deliver } = aDeliveringHandler({ store, endpoint, deadLetters });
    const records = ['aaaa', 'bbbb'].map((id) => recordOf(id, { integration: id }));
    expect(await deliver(...records)).toEqual(kept('bbbb'));
    expect(endpoint.requests).toHaveLength(1);
    expect(deadLetters.letters).toEqual([]);
  });
});

describe('The log of a batch', () => {
  const deliveryOf = (id: string): Delivery => aDelivery({ event: anEventReference(id) });

  /** The log of a batch, whose time is up when the test says so. */
  const aLog = (fault?: Error) => {
    const calls: string[][] = [];
    const waits: { ms: number; end: () => void }[] = [];
    const integrations = new InMemoryIntegrations();
    const deliveryLog = Object.assign(new InMemoryDeliveryLog(), {
      write: async (entries: readonly LogEntry[]) => {
        calls.push(entries.map(({ delivery }) => delivery.event.id));
        if (fault) throw fault;
        return entries.map(() => false);
      },
      list: async (deliveries: readonly Delivery[]) => {
        calls.push(deliveries.map(({ event }) => event.id));
        return deliveries.map(({ event }) =>
          event.id === 'evt_refused' ? new Error('refused') : undefined,
        );
      },
    });
    const { ofDelivery, listInLog } = createDeliveryBatch({
      integrations,
      deliveryLog,
      states: integrations,
      replays: new InMemoryReplayRequests(),
      isSlow: async () => false,
      now: () => new Date(0),
      random: () => 0.5,
      wait: (ms) => new Promise((end) => waits.push({ ms, end })),
    });
    const writing = (id: string, { after = async () => {} } = {}) =>
      ofDelivery(async (write) => {
        await after();
        await write({ delivery: deliveryOf(id), attempt: anAttempt(), logged: 'nothing' });
      });
    return { calls, waits, ofDelivery, listInLog, writing };
  };

  it('is written in one call when each record has written or is done', async () => {
    const { calls, ofDelivery, writing } = aLog();
    await Promise.all([writing('evt_1'), ofDelivery(async () => 'nothing'), writing('evt_2')]);
    expect(calls).toEqual([['evt_1', 'evt_2']]);
  });

  it('is written at once for a single record', async () => {
    const { calls, waits, writing } = aLog();
    await writing('evt_1');
    expect(calls).toEqual([['evt_1']]);
    expect(waits).toEqual([]);
  });

  it('is written without the slower records after a tenth of a second', async () => {
    const { calls, waits, writing } = aLog();
    const fast = [writing('evt_1'), writing('evt_2')];
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = writing('evt_3', { after: () => promise });
    await setImmediate();
    expect(calls).toEqual([]);
    expect(waits).toMatchObject([{ ms: 100 }]);
    waits[0]?.end();
    await Promise.all(fast);
    expect(calls).toEqual([['evt_1', 'evt_2']]);
    resolve();
    await slow;
    expect(calls).toEqual([['evt_1', 'evt_2'], ['evt_3']]);
  });

  it('is not written again when time is up after it was written', async () => {
    const { calls, waits, writing } = aLog();
    await Promise.all([writing('evt_1'), writing('evt_2')]);
    for (const { end } of waits) end();
    await setImmediate();
    expect(calls).toEqual([['evt_1', 'evt_2']]);
  });

  it('reports a fault to each record that has written', async () => {
    const { ofDelivery, writing } = aLog(new Error('throttled'));
    const done = ofDelivery(async () => 'nothing');
    const settled = await Promise.allSettled([writing('evt_1'), writing('evt_2'), done]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });

  it('does not wait for a record that has failed', async () => {
    const { calls, writing } = aLog();
    const failed = writing('evt_0', { after: () => Promise.reject(new Error('our fault')) });
    await Promise.all([expect(failed).rejects.toThrow('our fault'), writing('evt_1')]);
    expect(calls).toEqual([['evt_1']]);
  });

  it('lists the deliveries of the same moment in one call', async () => {
    const { calls, listInLog } = aLog();
    const listings = ['evt_1', 'evt_refused', 'evt_3'].map((id) => listInLog(deliveryOf(id)));
    const listed = await Promise.allSettled(listings);
    expect(calls).toEqual([['evt_1', 'evt_refused', 'evt_3']]);
    expect(listed.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
