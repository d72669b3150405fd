import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../../../core/delivery/delivery.ts';
import type { DeliveryLog } from '../../../../core/delivery/delivery-log.ts';
import type { DeliveryQueue, QueuedDelivery } from '../../../../core/delivery/delivery-queue.ts';
import type { SetAsideEvents } from '../../../../core/delivery/pending/pending-events.ts';
import {
  buildStorePending,
  type PendingEvents,
} from '../../../../core/delivery/pending/pending-events.ts';
import type { ReplayRequests } from '../../../../core/delivery/pending/replay-requests.ts';
import type { SlotStore } from '../../../../core/delivery/sending/backoff.ts';
import { buildDeliverWebhook } from '../../../../core/delivery/sending/deliver-webhook.ts';
import type { WebhookEndpoint } from '../../../../core/delivery/sending/make-attempt.ts';
import { buildMakeAttempt } from '../../../../core/delivery/sending/make-attempt.ts';
import type { RetrySchedules } from '../../../../core/delivery/trouble/troubles.ts';
import { buildTroubles, type TroubleStates } from '../../../../core/delivery/trouble/troubles.ts';
import type { Integration, IntegrationReader } from '../../../../core/integration/integration.ts';
import { batchPorts } from '../../../support/delivery/batch-ports.ts';
import { InMemoryDeliveryLog } from '../../../support/delivery/in-memory-delivery-log.ts';
import { InMemoryPendingEvents } from '../../../support/delivery/pending/in-memory-pending-events.ts';
import { InMemorySetAsideEvents } from '../../../support/delivery/pending/in-memory-set-aside-events.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { InMemorySlots } from '../../../support/delivery/sending/in-memory-slots.ts';
import { A_MESSAGE, aDelivery } from '../../../support/event/platform-events.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { InMemorySecrets } from '../../../support/integration/in-memory-secrets.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { untouchable } from '../../../support/untouchable.ts';

const NOON = new Date('2026-11-20T12:00:00.000Z');

/** Each look at the clock is 40 ms after the one before. */
const aClock = () => {
  let looks = 0;
  return () => {
    looks += 1;
    return new Date(NOON.getTime() + (looks - 1) * 40);
  };
};

const finding = (integration: Integration | undefined) => async () => integration;

const queued = (receiveCount = 1, wishes: Partial<Delivery> = {}) => ({
  ...A_MESSAGE,
  delivery: aDelivery(wishes),
  receiveCount,
  firstReceivedAt: NOON,
});

/** Whatever no test hands over must not be touched. */
const aDeliverer = ({
  endpoint = new ScriptedWebhookEndpoint() as WebhookEndpoint,
  deliveryLog = new InMemoryDeliveryLog() as DeliveryLog,
  pendingEvents = untouchable<PendingEvents>('the pending events'),
  states = untouchable<TroubleStates>('the trouble'),
  slots = untouchable<SlotStore>('the backoff slots'),
  setAsideEvents = untouchable<SetAsideEvents>('what is set aside'),
  now = aClock(),
} = {}) => {
  const integrations = untouchable<IntegrationReader>('the integrations');
  const schedules = untouchable<RetrySchedules>('the schedules');
  const replays = untouchable<ReplayRequests>('the replay requests');
  const userAgent = 'Service-Webhooks/1.2.3';
  const deliverWebhook = buildDeliverWebhook({
    makeAttempt: buildMakeAttempt({ secrets: new InMemorySecrets(), endpoint, now, userAgent }),
    storePending: buildStorePending({ pendingEvents, integrations, replays }),
    troubles: buildTroubles({ states, schedules, replays, now, retryIntervalMs: 3_600_000 }),
    states,
    pendingEvents,
    setAsideEvents,
    backoff: { firstDelayMs: 15_000, maxDelayMs: 3_600_000, windowMs: 43_200_000 },
    busyAfter: 20,
    backoffLimits: { most: 50, probes: 3 },
    lane: 'fast',
    slowLane: untouchable<DeliveryQueue>('the slow lane'),
    now: () => NOON,
    slots,
    replays,
    failedAfter: 20,
    retryIntervalMs: 3_600_000,
    integrations,
    random: () => 0.5,
  });
  return (message: QueuedDelivery, find: IntegrationReader['find']) =>
    deliverWebhook(message, batchPorts(find, deliveryLog));
};

describe('delivering a webhook', () => {
  it('posts the body to the integration’s URL with the headers of the contract', async () => {
    const endpoint = new ScriptedWebhookEndpoint();
    await aDeliverer({ endpoint })(queued(), finding(anIntegration()));
    expect(endpoint.requests).toEqual([
      {
        url: 'https://hooks.example.com/in',
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': 'Service-Webhooks/1.2.3',
          // By `openssl dgst -sha256 -hmac 'a secret of the tests'`, of the body and of what the
          // second signs: id, timestamp and body, with dots between them.
          'X-Service-Signature': '8acf0f3d4181f7e973e80d0ac22611ac34222dd8e09df613022261d604974f0c',
          'webhook-id': '/integrations/0123456789Ab/deliveries/evt_01JD',
          'webhook-timestamp': '1795176000',
          'webhook-signature': 'v1,09hc9R4mGunUQsFlj31i0vQ4Zz+CS5E86XOD+azI86Q=',
        },
        body: '{"data":{"body":"Hello"}}',
      },
    ]);
  });

  it('does not send the client secret', async () => {
    const endpoint = new ScriptedWebhookEndpoint();
    const config = { ...anIntegration().config, clientSecret: 'for client applications' };
    await aDeliverer({ endpoint })(queued(), finding(anIntegration({ config })));
    expect(endpoint.requests).toHaveLength(1);
    expect(JSON.stringify(endpoint.requests)).not.toContain('for client applications');
  });

  it('sends the same id and body again, under a fresh timestamp and signature', async () => {
    const endpoint = new ScriptedWebhookEndpoint();
    const instants = [NOON, NOON, new Date(NOON.getTime() + 60_000)];
    const deliver = aDeliverer({ endpoint, now: () => instants.shift() ?? NOON });
    await deliver(queued(), finding(anIntegration()));
    await deliver(queued(), finding(anIntegration()));
    const [first, second] = endpoint.requests;
    const differing = Object.keys(first?.headers ?? {}).filter(
      (name) => first?.headers[name] !== second?.headers[name],
    );
    expect(differing).toEqual(['webhook-timestamp', 'webhook-signature']);
    expect(second?.body).toBe(first?.body);
  });

  it('looks for the integration by account and id', async () => {
    const asked: string[][] = [];
    await aDeliverer()(queued(), async (...key) => {
      asked.push(key);
      return undefined;
    });
    expect(asked).toEqual([['acme', '0123456789Ab']]);
  });

  it('drops an event whose integration is deleted, without an attempt', async () => {
    const deliver = aDeliverer({
      endpoint: untouchable<WebhookEndpoint>('the endpoint'),
      deliveryLog: untouchable<DeliveryLog>('the delivery log'),
    });
    expect(await deliver(queued(), finding(undefined))).toEqual({
      kind: 'dropped',
      because: 'deleted',
    });
  });

  it('fails before anything is sent when the integration cannot be read', async () => {
    const deliver = aDeliverer({ endpoint: untouchable<WebhookEndpoint>('the endpoint') });
    const unreadable = () => Promise.reject(new Error('throttled'));
    await expect(deliver(queued(), unreadable)).rejects.toThrow('throttled');
  });

  it('records the attempt: when, how long, what came of it', async () => {
    const deliveryLog = new InMemoryDeliveryLog();
    const endpoint = new ScriptedWebhookEndpoint(() => answered(202, 'thanks'));
    const deliver = aDeliverer({ endpoint, deliveryLog });
    const attempt = {
      account: 'acme',
      integration: '0123456789Ab',
      event: aDelivery().event,
      number: 1,
      trigger: 'event',
      startedAt: NOON,
      durationMs: 40,
      outcome: { class: 'delivered', result: answered(202, 'thanks') },
    };
    expect(await deliver(queued(), finding(anIntegration()))).toEqual({
      kind: 'delivered',
      made: { attempt, request: endpoint.requests[0] },
      endedTrouble: false,
    });
    expect(deliveryLog.attempts).toEqual([attempt]);
  });

  it.each([
    [1, aDelivery(), 1, 'event'],
    [3, aDelivery(), 3, 'backoff'],
    [1, aDelivery({ trigger: 'rerouted' }), 1, 'event'],
    [2, aDelivery({ trigger: 'rerouted' }), 2, 'backoff'],
    [1, aDelivery({ trigger: 'replay', priorAttempts: 41 }), 42, 'replay'],
    [2, aDelivery({ trigger: 'replay', priorAttempts: 41 }), 43, 'backoff'],
    [1, aDelivery({ trigger: 'manual', priorAttempts: 5 }), 6, 'manual'],
  ] as const)('counts on by receives (%i), and tells what made it send', async (...row) => {
    const [receiveCount, delivery, number, trigger] = row;
    const deliveryLog = new InMemoryDeliveryLog();
    const deliver = aDeliverer({
      deliveryLog,
      pendingEvents: new InMemoryPendingEvents(),
      setAsideEvents: new InMemorySetAsideEvents(),
    });
    await deliver(queued(receiveCount, delivery), finding(anIntegration()));
    expect(deliveryLog.attempts).toMatchObject([{ number, trigger }]);
  });

  it('records when an attempt that backs off is made again: the instant its message comes back', async () => {
    const deliveryLog = new InMemoryDeliveryLog();
    const endpoint = new ScriptedWebhookEndpoint(() => answered(504));
    const states = new InMemoryIntegrations(anIntegration());
    const deliver = aDeliverer({ endpoint, deliveryLog, states, slots: new InMemorySlots() });
    const nextAttemptAt = new Date('2026-11-20T12:00:15.040Z');
    expect(await deliver(queued(), finding(anIntegration()))).toMatchObject({ nextAttemptAt });
    expect(deliveryLog.attempts).toMatchObject([{ durationMs: 40, nextAttemptAt }]);
  });

  it('does not fail when the delivery log does: the endpoint has confirmed already', async () => {
    const recordingFault = new Error('throttled');
    const deliveryLog = Object.assign(new InMemoryDeliveryLog(), {
      write: () => Promise.reject(recordingFault),
    });
    const deliver = aDeliverer({ deliveryLog });
    expect(await deliver(queued(), finding(anIntegration()))).toMatchObject({
      kind: 'delivered',
      made: { attempt: { outcome: { class: 'delivered' } }, recordingFault },
    });
  });

  it('forgets earlier transient results and refusals with the first success', async () => {
    const streak = { since: '2026-11-20T11:59:00.000Z', transients: 7, refusals: 2 };
    const stored = anIntegration({ streak });
    const states = new InMemoryIntegrations(stored);
    await aDeliverer({ states })(queued(), finding(stored));
    expect(states.all).toEqual([anIntegration({ confirmedAt: '2026-11-20T12:00:00.000Z' })]);
  });

  it('asks nothing of state, schedules, pending events and replays while all is well', async () => {
    const stored = anIntegration({ epoch: 8, revision: 5 });
    const result = await aDeliverer()(queued(), finding(stored));
    expect(result).toMatchObject({ kind: 'delivered', endedTrouble: false });
  });

  it.each([
    ['is delivered', anIntegration()],
    ['is dropped', undefined],
  ])('takes back what an earlier receive has stored when the event %s', async (_case, found) => {
    const pendingEvents = new InMemoryPendingEvents();
    await pendingEvents.put(aDelivery({ priorAttempts: 1 }), A_MESSAGE);
    await aDeliverer({ pendingEvents })(queued(2), finding(found));
    expect(pendingEvents.of('0123456789Ab')).toEqual([]);
  });
});
