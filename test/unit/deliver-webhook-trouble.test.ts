import { describe, expect, it } from 'vitest';
import { createAttemptDelivery } from '../../core/delivery/attempt-delivery.ts';
import { createDeliverWebhook } from '../../core/delivery/deliver-webhook.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import { createEndTrouble } from '../../core/delivery/end-trouble.ts';
import { createEnterTrouble } from '../../core/delivery/enter-trouble.ts';
import { createHoldDelivery } from '../../core/delivery/hold-delivery.ts';
import type { PostResult } from '../../core/delivery/outcome.ts';
import type { WebhookEndpoint } from '../../core/delivery/webhook-endpoint.ts';
import type { Trouble } from '../../core/integrations/integration.ts';
import { InMemoryDeliveryLog } from '../support/in-memory-delivery-log.ts';
import { InMemoryIntegrations } from '../support/in-memory-integrations.ts';
import { InMemoryPendingEvents } from '../support/in-memory-pending-events.ts';
import { InMemoryReplayRequests } from '../support/in-memory-replay-requests.ts';
import { InMemoryRetrySchedules } from '../support/in-memory-retry-schedules.ts';
import { anIntegration } from '../support/integrations.ts';
import { aDelivery } from '../support/platform-events.ts';
import { answered, ScriptedWebhookEndpoint } from '../support/scripted-webhook-endpoint.ts';
import { untouchable } from '../support/untouchable.ts';

const NOON = new Date('2026-11-20T12:00:00.000Z');
const ONE_O_CLOCK = '2026-11-20T13:00:00.000Z';
const WINDOW_MS = 43_200_000;
const INTEGRATION = anIntegration().id;
const SCHEDULE = { account: 'acme', id: INTEGRATION, incident: 3 };

const trouble = (kind: Trouble['kind']): Trouble => ({
  kind,
  since: '2026-11-20T11:30:00.000Z',
  statusCode: 500,
  lastAttemptAt: '2026-11-20T11:30:00.000Z',
  nextAttemptAt: '2026-11-20T12:30:00.000Z',
});
const HEALTHY = anIntegration({ incident: 3 });
const BUSY = anIntegration({ incident: 3, transients: 20, delivery: trouble('busy') });
const FAILED = anIntegration({ incident: 3, delivery: trouble('failed') });

const queued = (receiveCount = 1, wishes: Partial<Delivery> = {}) => ({
  delivery: aDelivery(wishes),
  receiveCount,
  firstReceivedAt: NOON,
});

/** A deliverer over memory with one integration, at noon, where chance changes no delay. */
const aDeliverer = ({
  stored = HEALTHY,
  endpoint = untouchable<WebhookEndpoint>('the endpoint'),
  random = 0.5,
} = {}) => {
  const integrations = new InMemoryIntegrations(stored);
  const states = integrations;
  const pendingEvents = new InMemoryPendingEvents();
  const schedules = new InMemoryRetrySchedules();
  const replays = new InMemoryReplayRequests();
  const now = () => NOON;
  const attemptLog = new InMemoryDeliveryLog();
  const arrivals = attemptLog;
  const deliverWebhook = createDeliverWebhook({
    attemptDelivery: createAttemptDelivery({ endpoint, attemptLog, now, userAgent: 'test' }),
    holdDelivery: createHoldDelivery({ pendingEvents, integrations, replays }),
    enterTrouble: createEnterTrouble({ states, schedules, now, retryIntervalMs: 3_600_000 }),
    endTrouble: createEndTrouble({ states, replays, schedules }),
    states,
    pendingEvents,
    arrivals,
    retryPolicy: { firstDelayMs: 15_000, maxDelayMs: 3_600_000, windowMs: WINDOW_MS },
    busyAfter: 20,
    random: () => random,
  });
  const deliver = (message = queued()) =>
    deliverWebhook(message, (account, id) => integrations.find(account, id));
  return { deliver, integrations, pendingEvents, schedules, replays };
};

const answering = (...[statusCode, retryAfter]: [number, string?]) =>
  new ScriptedWebhookEndpoint(() => ({ ...answered(statusCode), retryAfter }) as PostResult);

const secondsBeforeNoon = (seconds: number): Date => new Date(NOON.getTime() - seconds * 1_000);

/** What comes of an attempt at noon that is made again so many seconds later. */
const backingOff = (seconds: number) => ({
  kind: 'backing-off',
  nextAttemptAt: secondsBeforeNoon(-seconds),
});

describe('a delivery whose integration cannot take it now', () => {
  it.each([
    ['failed', FAILED, queued(1)],
    ['failed meanwhile', FAILED, queued(4)],
    ['busy', BUSY, queued(1)],
    ['inactive since it was received first', anIntegration({ active: false }), queued(2)],
    ['inactive at its replay', anIntegration({ active: false }), queued(1, { trigger: 'replay' })],
  ])('is held without an attempt when that is %s', async (_case, stored, message) => {
    const { deliver, pendingEvents, integrations } = aDeliverer({ stored });
    expect(await deliver(message)).toEqual({ kind: 'held' });
    expect(pendingEvents.of(INTEGRATION)).toMatchObject([
      { event: message.delivery.event, priorAttempts: message.receiveCount - 1 },
    ]);
    expect(integrations.all).toEqual([stored]);
  });

  it('is a probe when that is busy and it was attempted before: a success ends the trouble', async () => {
    const { deliver, integrations, schedules, replays } = aDeliverer({
      stored: BUSY,
      endpoint: answering(200),
    });
    await schedules.ensure(BUSY);
    expect(await deliver(queued(2))).toMatchObject({ kind: 'delivered', recovered: true });
    expect(integrations.all).toEqual([anIntegration({ incident: 4 })]);
    expect(replays.requested).toEqual([{ account: 'acme', id: INTEGRATION }]);
    expect(schedules.all).toEqual([]);
  });

  it('stays in the queue as a probe while that is busy', async () => {
    const { deliver, pendingEvents } = aDeliverer({ stored: BUSY, endpoint: answering(504) });
    expect(await deliver(queued(5))).toMatchObject(backingOff(240));
    expect(pendingEvents.of(INTEGRATION)).toEqual([]);
  });
});

describe('a fatal result', () => {
  it('makes the integration failed until its next attempt in an hour', async () => {
    const { deliver, integrations, schedules } = aDeliverer({ endpoint: answering(500) });
    expect(await deliver()).toMatchObject({ kind: 'held', became: 'failed' });
    const [integration] = integrations.all;
    expect(integration?.delivery).toEqual({
      kind: 'failed',
      since: NOON.toISOString(),
      statusCode: 500,
      lastAttemptAt: NOON.toISOString(),
      nextAttemptAt: ONE_O_CLOCK,
    });
    expect(schedules.all).toEqual([SCHEDULE]);
  });

  it('has the event held, with its attempts counted', async () => {
    const { deliver, pendingEvents } = aDeliverer({ endpoint: answering(500) });
    const result = await deliver(queued(3, { trigger: 'replay', priorAttempts: 5 }));
    expect(result).toMatchObject({ kind: 'held', made: { attempt: { number: 8 } } });
    expect(pendingEvents.of(INTEGRATION)).toMatchObject([{ priorAttempts: 8 }]);
  });

  it('of a probe makes a busy integration failed', async () => {
    const { deliver, integrations } = aDeliverer({ stored: BUSY, endpoint: answering(404) });
    expect(await deliver(queued(2))).toMatchObject({ kind: 'held', became: 'failed' });
    expect(integrations.all).toMatchObject([{ delivery: { kind: 'failed', statusCode: 404 } }]);
  });

  it('does not fail settings that were changed since its attempt began', async () => {
    const changed = anIntegration({ incident: 5, revision: 2 });
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await integrations.replace(changed, HEALTHY);
      return answered(500);
    });
    const { deliver, integrations, pendingEvents } = aDeliverer({ endpoint });
    expect(await deliver()).toMatchObject({ kind: 'outdated', made: { attempt: { number: 1 } } });
    expect(integrations.all).toEqual([changed]);
    expect(pendingEvents.of(INTEGRATION)).toEqual([]);
  });

  it('keeps its message in the queue when the event cannot be stored', async () => {
    const { deliver, pendingEvents } = aDeliverer({ endpoint: answering(500) });
    Object.assign(pendingEvents, { put: () => Promise.reject(new Error('throttled')) });
    await expect(deliver()).rejects.toThrow('throttled');
  });
});

describe('a transient result', () => {
  it('backs off: nothing but its count changes', async () => {
    const { deliver, integrations, schedules, pendingEvents } = aDeliverer({
      endpoint: answering(504),
    });
    expect(await deliver()).toMatchObject(backingOff(15));
    expect(integrations.all).toEqual([{ ...HEALTHY, transients: 1 }]);
    expect([...schedules.all, ...pendingEvents.of(INTEGRATION)]).toEqual([]);
  });

  it('backs off longer each time the message is received, whatever came before it', async () => {
    const { deliver } = aDeliverer({ endpoint: answering(504) });
    const result = await deliver(queued(4, { priorAttempts: 9 }));
    expect(result).toMatchObject(backingOff(120));
  });

  it('spreads by chance when it is tried again', async () => {
    const { deliver } = aDeliverer({ endpoint: answering(504), random: 0 });
    expect(await deliver()).toMatchObject(backingOff(12));
  });

  it.each(['120', 'Fri, 20 Nov 2026 12:02:00 GMT'])(
    'waits as long as the endpoint asks for: %s',
    async (retryAfter) => {
      const { deliver } = aDeliverer({ endpoint: answering(504, retryAfter) });
      expect(await deliver()).toMatchObject(backingOff(120));
    },
  );

  it('is tried for the last time at the end of the window', async () => {
    const { deliver } = aDeliverer({ endpoint: answering(504) });
    const firstReceivedAt = secondsBeforeNoon(WINDOW_MS / 1_000 - 1);
    const result = await deliver({ ...queued(19), firstReceivedAt });
    expect(result).toMatchObject(backingOff(1));
  });

  it('is fatal at the end of the window', async () => {
    const { deliver, integrations, pendingEvents } = aDeliverer({ endpoint: answering(504) });
    const firstReceivedAt = secondsBeforeNoon(WINDOW_MS / 1_000);
    const result = await deliver({ ...queued(20), firstReceivedAt });
    expect(result).toMatchObject({ kind: 'held', became: 'failed' });
    expect(integrations.all).toMatchObject([{ delivery: { kind: 'failed', statusCode: 504 } }]);
    expect(pendingEvents.of(INTEGRATION)).toMatchObject([{ priorAttempts: 20 }]);
  });

  it('does not make the integration busy as the nineteenth in a row', async () => {
    const stored = { ...HEALTHY, transients: 18 };
    const { deliver, integrations } = aDeliverer({ stored, endpoint: answering(504) });
    expect(await deliver()).not.toHaveProperty('became');
    expect(integrations.all).toEqual([{ ...HEALTHY, transients: 19 }]);
  });

  it('makes the integration busy as the twentieth in a row, and goes on as its probe', async () => {
    const stored = { ...HEALTHY, transients: 19 };
    const { deliver, integrations, schedules, pendingEvents } = aDeliverer({
      stored,
      endpoint: answering(504),
    });
    const result = await deliver();
    expect(result).toMatchObject({ ...backingOff(15), became: 'busy' });
    expect(integrations.all).toMatchObject([{ delivery: { kind: 'busy', statusCode: 504 } }]);
    expect(schedules.all).toEqual([SCHEDULE]);
    expect(pendingEvents.of(INTEGRATION)).toEqual([]);
  });

  it('beyond the twentieth has a new event held, for there are probes enough', async () => {
    const stored = { ...HEALTHY, transients: 20 };
    const { deliver, pendingEvents } = aDeliverer({ stored, endpoint: answering(504) });
    expect(await deliver()).toMatchObject({ kind: 'held', made: { attempt: { number: 1 } } });
    expect(pendingEvents.of(INTEGRATION)).toMatchObject([{ priorAttempts: 1 }]);
  });

  it('beyond the twentieth leaves a probe among the probes', async () => {
    const stored = { ...HEALTHY, transients: 20 };
    const { deliver, pendingEvents } = aDeliverer({ stored, endpoint: answering(504) });
    expect(await deliver(queued(2))).toMatchObject(backingOff(30));
    expect(pendingEvents.of(INTEGRATION)).toEqual([]);
  });

  it('does not count against settings that were changed since its attempt began', async () => {
    const stored = { ...HEALTHY, transients: 19 };
    const changed = anIntegration({ incident: 5, revision: 2 });
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await integrations.replace(changed, stored);
      return answered(504);
    });
    const { deliver, integrations } = aDeliverer({ stored, endpoint });
    expect(await deliver(queued(2))).toMatchObject({ kind: 'backing-off' });
    expect(integrations.all).toEqual([changed]);
  });

  it('has a first one that nothing counts held and replayed, so that thousands cannot back off', async () => {
    const stored = { ...HEALTHY, transients: 19 };
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await integrations.replace(anIntegration({ incident: 5, revision: 2 }), stored);
      return answered(504);
    });
    const { deliver, integrations, pendingEvents, replays } = aDeliverer({ stored, endpoint });
    expect(await deliver()).toMatchObject({ kind: 'held' });
    expect(pendingEvents.of(INTEGRATION)).toMatchObject([{ priorAttempts: 1 }]);
    expect(replays.requested).toHaveLength(1);
  });
});
