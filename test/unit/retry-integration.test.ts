import { describe, expect, it } from 'vitest';
import { createAttemptDelivery } from '../../core/delivery/attempt-delivery.ts';
import { createEndTrouble } from '../../core/delivery/end-trouble.ts';
import { createEnterTrouble } from '../../core/delivery/enter-trouble.ts';
import { createRetryIntegration } from '../../core/delivery/retry-integration.ts';
import type { WebhookEndpoint } from '../../core/delivery/webhook-endpoint.ts';
import type { Integration, Trouble } from '../../core/integrations/integration.ts';
import { InMemoryDeliveryLog } from '../support/in-memory-delivery-log.ts';
import { InMemoryIntegrations } from '../support/in-memory-integrations.ts';
import { InMemoryPendingEvents } from '../support/in-memory-pending-events.ts';
import { InMemoryReplayRequests } from '../support/in-memory-replay-requests.ts';
import { InMemoryRetrySchedules } from '../support/in-memory-retry-schedules.ts';
import { anIntegration } from '../support/integrations.ts';
import { aDelivery } from '../support/platform-events.ts';
import { answered, ScriptedWebhookEndpoint } from '../support/scripted-webhook-endpoint.ts';
import { untouchable } from '../support/untouchable.ts';

const ONE_O_CLOCK = '2026-11-20T13:00:00.000Z';
const TWO_O_CLOCK = '2026-11-20T14:00:00.000Z';
const REQUEST = { account: 'acme', id: anIntegration().id };
const SCHEDULE = { ...REQUEST, incident: 3 };

const troubled = (kind: Trouble['kind'], wishes: Partial<Trouble> = {}): Integration =>
  anIntegration({
    incident: 3,
    delivery: {
      kind,
      since: '2026-11-20T12:00:00.000Z',
      statusCode: 503,
      lastAttemptAt: '2026-11-20T12:00:00.000Z',
      nextAttemptAt: ONE_O_CLOCK,
      ...wishes,
    },
  });
const FAILED = troubled('failed');
const LATER_FAILED = { ...FAILED, incident: 5 };

const eventOf = (minute: number) =>
  aDelivery({
    event: {
      id: `evt_${minute}`,
      type: 'message.received',
      occurredAt: `2026-11-20T12:0${minute}:00.000Z`,
    },
    priorAttempts: minute,
  });

const throttled = () => Promise.reject(new Error('throttled'));

/** The hourly retry at one o'clock, of an integration that by default is due, with three events pending. */
const aRetry = async ({
  stored = FAILED as Integration | 'deleted',
  endpoint = untouchable<WebhookEndpoint>('the endpoint'),
  pending = [eventOf(2), eventOf(1), eventOf(3)],
} = {}) => {
  const integrations = new InMemoryIntegrations(...(stored === 'deleted' ? [] : [stored]));
  const states = integrations;
  const pendingEvents = new InMemoryPendingEvents();
  for (const delivery of pending) await pendingEvents.put(delivery);
  const schedules = new InMemoryRetrySchedules(SCHEDULE);
  const replays = new InMemoryReplayRequests();
  const attemptLog = new InMemoryDeliveryLog();
  const now = () => new Date(ONE_O_CLOCK);
  const retryIntervalMs = 3_600_000;
  const retry = createRetryIntegration({
    integrations,
    states,
    pendingEvents,
    arrivals: attemptLog,
    attemptDelivery: createAttemptDelivery({ endpoint, attemptLog, now, userAgent: 'test' }),
    enterTrouble: createEnterTrouble({ states, schedules, now, retryIntervalMs }),
    endTrouble: createEndTrouble({ states, replays, schedules }),
    replays,
    schedules,
    now,
    retryIntervalMs,
  });
  const pendingIds = () => pendingEvents.of(REQUEST.id).map(({ event }) => event.id);
  return { retry, integrations, pendingEvents, pendingIds, schedules, replays, attemptLog };
};

const answering = (statusCode: number) => new ScriptedWebhookEndpoint(() => answered(statusCode));

describe('the hourly retry', () => {
  it.each([200, 500])('makes one attempt, with the oldest pending event (%i)', async (status) => {
    const { retry, attemptLog } = await aRetry({ endpoint: answering(status) });
    expect(await retry(SCHEDULE)).toMatchObject({ kind: 'retried' });
    expect(attemptLog.attempts).toMatchObject([
      { event: { id: 'evt_1' }, number: 2, trigger: 'hourly' },
    ]);
  });

  it.each(['busy', 'failed'] as const)(
    'ends with a success that the integration is %s',
    async (kind) => {
      const endpoint = answering(204);
      const { retry, integrations, replays, schedules, pendingIds } = await aRetry({
        stored: troubled(kind),
        endpoint,
      });
      expect(await retry(SCHEDULE)).toMatchObject({ kind: 'retried', recovered: true });
      expect(integrations.all).toEqual([anIntegration({ incident: 4 })]);
      expect(pendingIds()).toEqual(['evt_2', 'evt_3']);
      expect(replays.requested).toEqual([REQUEST]);
      expect(schedules.all).toEqual([]);
    },
  );

  it.each([500, 504])('leaves the integration failed with an error: %i', async (statusCode) => {
    const { retry, integrations, replays, schedules } = await aRetry({
      endpoint: answering(statusCode),
    });
    expect(await retry(SCHEDULE)).toMatchObject({ kind: 'retried', recovered: false });
    expect(integrations.all).toEqual([
      troubled('failed', { statusCode, lastAttemptAt: ONE_O_CLOCK, nextAttemptAt: TWO_O_CLOCK }),
    ]);
    expect(schedules.all).toEqual([SCHEDULE]);
    expect(replays.requested).toEqual([]);
  });

  it.each([500, 504])('keeps the event after an error, its attempt counted: %i', async (status) => {
    const { retry, pendingEvents } = await aRetry({ endpoint: answering(status) });
    await retry(SCHEDULE);
    expect(pendingEvents.of(REQUEST.id)).toEqual([
      { ...eventOf(1), priorAttempts: 2 },
      eventOf(2),
      eventOf(3),
    ]);
  });

  it('shows in words why its attempt had no answer, instead of an earlier status', async () => {
    const endpoint = new ScriptedWebhookEndpoint(() => ({
      kind: 'unanswered',
      reason: 'dns-failure',
    }));
    const { retry, integrations } = await aRetry({ endpoint });
    await retry(SCHEDULE);
    const [integration] = integrations.all;
    expect(integration?.delivery).toMatchObject({ reason: 'the host name could not be resolved' });
    expect(integration?.delivery).not.toHaveProperty('statusCode');
  });

  it.each([
    [500, 'failed'],
    [504, 'busy'],
  ])('makes of a busy integration, with a %i, a %s one', async (statusCode, kind) => {
    const { retry, integrations } = await aRetry({
      stored: troubled('busy'),
      endpoint: answering(statusCode),
    });
    await retry(SCHEDULE);
    const delivery = { kind, statusCode, nextAttemptAt: TWO_O_CLOCK };
    expect(integrations.all).toMatchObject([{ delivery }]);
  });

  it('makes one attempt when its schedule fires twice', async () => {
    const { retry, attemptLog } = await aRetry({ endpoint: answering(500) });
    const results = [await retry(SCHEDULE), await retry(SCHEDULE)];
    expect(results.map(({ kind }) => kind)).toEqual(['retried', 'not-due']);
    expect(attemptLog.attempts).toHaveLength(1);
  });

  it('makes one attempt when two of it run at once', async () => {
    const { retry, attemptLog } = await aRetry({ endpoint: answering(500) });
    const results = await Promise.all([retry(SCHEDULE), retry(SCHEDULE)]);
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(['not-due', 'retried']);
    expect(attemptLog.attempts).toHaveLength(1);
  });

  it('is due when its schedule fires a little before the hour is over', async () => {
    const { retry } = await aRetry({
      stored: troubled('failed', { nextAttemptAt: '2026-11-20T13:01:00.000Z' }),
      endpoint: answering(500),
    });
    expect(await retry(SCHEDULE)).toMatchObject({ kind: 'retried' });
  });

  it.each([200, 500])('does not touch settings changed during its attempt: %i', async (status) => {
    const changed = anIntegration({ incident: 5, revision: 2 });
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await integrations.replace(changed, FAILED);
      return answered(status);
    });
    const { retry, integrations } = await aRetry({ endpoint });
    expect(await retry(SCHEDULE)).toMatchObject({ kind: 'retried', recovered: false });
    expect(integrations.all).toEqual([changed]);
  });

  it('ends the trouble when nothing is pending: there is nothing to wait for', async () => {
    const { retry, integrations, schedules } = await aRetry({ pending: [] });
    expect(await retry(SCHEDULE)).toEqual({ kind: 'nothing-pending', recovered: true });
    expect(integrations.all).toEqual([anIntegration({ incident: 4 })]);
    expect(schedules.all).toEqual([]);
  });
});

describe('an hourly schedule with nothing to retry', () => {
  it.each([
    ['recovered', anIntegration({ incident: 4 })],
    ['is deleted', 'deleted' as const],
  ])(
    'asks for the replay that is owed, then is gone: the integration %s',
    async (_case, stored) => {
      const { retry, replays, schedules } = await aRetry({ stored });
      expect(await retry(SCHEDULE)).toEqual({ kind: 'over' });
      expect(replays.requested).toEqual([REQUEST]);
      expect(schedules.all).toEqual([]);
    },
  );

  it.each([
    ['is inactive', anIntegration({ incident: 4, active: false }), [eventOf(1)]],
    ['failed again', LATER_FAILED, [eventOf(1)]],
    ['has nothing pending', anIntegration({ incident: 4 }), []],
  ])('is just gone when the integration %s', async (_case, stored, pending) => {
    const { retry, integrations, replays, schedules } = await aRetry({ stored, pending });
    expect(await retry(SCHEDULE)).toEqual({ kind: 'over' });
    expect(replays.requested).toEqual([]);
    expect(schedules.all).toEqual([]);
    expect(integrations.all).toEqual([stored]);
  });

  it('leaves the schedule of a later incident alone', async () => {
    const { retry, schedules } = await aRetry({ stored: LATER_FAILED });
    await schedules.ensure(LATER_FAILED);
    await retry(SCHEDULE);
    expect(schedules.all).toEqual([{ ...SCHEDULE, incident: 5 }]);
  });

  it('has what is left of a deleted integration cleared away, though nothing is pending', async () => {
    const { retry, replays } = await aRetry({ stored: 'deleted', pending: [] });
    expect(await retry(SCHEDULE)).toEqual({ kind: 'over' });
    expect(replays.requested).toEqual([REQUEST]);
  });

  it.each([
    ['its own', anIntegration({ incident: 3 })],
    ['one to come', anIntegration({ incident: 2 })],
    ['its own, of an inactive integration', anIntegration({ incident: 3, active: false })],
  ])('closes its incident before it is gone: %s', async (_case, stored) => {
    const { retry, integrations, schedules } = await aRetry({ stored });
    expect(await retry(SCHEDULE)).toEqual({ kind: 'over' });
    expect(integrations.all).toEqual([{ ...stored, incident: 4 }]);
    expect(schedules.all).toEqual([]);
  });

  it('stays while the incident before its own goes on', async () => {
    const { retry, integrations, schedules } = await aRetry({ stored: { ...FAILED, incident: 2 } });
    expect(await retry(SCHEDULE)).toEqual({ kind: 'not-due' });
    expect(integrations.all).toEqual([{ ...FAILED, incident: 2 }]);
    expect(schedules.all).toEqual([SCHEDULE]);
  });

  it('stays when somebody comes to rely on it meanwhile', async () => {
    const { retry, integrations, schedules } = await aRetry({
      stored: anIntegration({ incident: 3 }),
    });
    Object.assign(integrations, { closeIncident: async () => false });
    await expect(retry(SCHEDULE)).rejects.toThrow('changed while its schedule was closed');
    expect(schedules.all).toEqual([SCHEDULE]);
  });

  it('stays when it cannot ask for the replay', async () => {
    const { retry, replays, schedules } = await aRetry({ stored: anIntegration({ incident: 4 }) });
    Object.assign(replays, { request: throttled });
    await expect(retry(SCHEDULE)).rejects.toThrow('throttled');
    expect(schedules.all).toEqual([SCHEDULE]);
  });
});
