import { describe, expect, it } from 'vitest';
import type { PostResult } from '../../../../core/delivery/attempt.ts';
import type { DeadLetters } from '../../../../core/delivery/delivery-queue.ts';
import { buildMakeAttempt } from '../../../../core/delivery/sending/make-attempt.ts';
import { buildRetryHourly } from '../../../../core/delivery/sending/retry-hourly.ts';
import { buildRetryPending } from '../../../../core/delivery/sending/retry-pending.ts';
import { scheduleInput } from '../../../../core/delivery/trouble/begin-trouble.ts';
import { buildTroubles } from '../../../../core/delivery/trouble/troubles.ts';
import { createHandler } from '../../../../lambdas/deliver/retry-hourly/handler.ts';
import { createBarrier } from '../../../support/barrier.ts';
import { InMemoryDeadLetters } from '../../../support/delivery/in-memory-dead-letters.ts';
import { InMemoryDeliveryLog } from '../../../support/delivery/in-memory-delivery-log.ts';
import { InMemoryPendingEvents } from '../../../support/delivery/pending/in-memory-pending-events.ts';
import { InMemoryReplayRequests } from '../../../support/delivery/pending/in-memory-replay-requests.ts';
import { InMemorySetAsideEvents } from '../../../support/delivery/pending/in-memory-set-aside-events.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { InMemoryRetrySchedules } from '../../../support/delivery/trouble/in-memory-retry-schedules.ts';
import { A_MESSAGE, aDelivery } from '../../../support/event/platform-events.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { InMemorySecrets } from '../../../support/integration/in-memory-secrets.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { kept } from '../../../support/lambdas/delivering-handler.ts';
import { queueDeps } from '../../../support/lambdas/queue-deps.ts';
import { aBatch, aRecord } from '../../../support/lambdas/sqs-batches.ts';
import { untouchable } from '../../../support/untouchable.ts';

const ONE_O_CLOCK = new Date('2026-11-20T13:00:00.000Z');
const SCHEDULE = { account: 'acme', id: '0123456789Ab', epoch: 3 };
const RETRY = aBatch(aRecord('m1', scheduleInput(SCHEDULE)));
const ALL_DONE = { batchItemFailures: [] };

const FAILED = anIntegration({
  epoch: 3,
  trouble: {
    kind: 'failed',
    since: '2026-11-20T12:00:00.000Z',
    statusCode: 500,
    lastAttemptAt: '2026-11-20T12:00:00.000Z',
    nextAttemptAt: '2026-11-20T13:00:00.000Z',
  },
});

/** A failed integration with an event of noon pending, whose hour is over. */
const aRetryingHandler = async (
  script: () => PostResult | Promise<PostResult>,
  {
    stored = [FAILED],
    pending = [aDelivery({ priorAttempts: 1 })],
    deadLetters = untouchable<DeadLetters>('the dead-letter queue'),
  } = {},
) => {
  const integrations = new InMemoryIntegrations(...stored);
  const pendingEvents = new InMemoryPendingEvents();
  for (const delivery of pending) await pendingEvents.put(delivery, A_MESSAGE);
  const schedules = new InMemoryRetrySchedules(SCHEDULE);
  const replays = new InMemoryReplayRequests();
  const endpoint = new ScriptedWebhookEndpoint(script);
  const now = () => ONE_O_CLOCK;
  const retryIntervalMs = 3_600_000;
  const deliveryLog = new InMemoryDeliveryLog();
  const deps = queueDeps({ now });
  const states = integrations;
  const setAsideEvents = new InMemorySetAsideEvents();
  const ports = {
    integrations,
    states,
    pendingEvents,
    setAsideEvents,
    deliveryLog,
    replays,
    schedules,
  };
  const troubles = buildTroubles({ ...ports, now, retryIntervalMs });
  const retryPending = buildRetryPending({
    ...ports,
    makeAttempt: buildMakeAttempt({
      secrets: new InMemorySecrets(),
      endpoint,
      now,
      userAgent: 'test',
    }),
    troubles,
    failedAfter: 20,
    now,
  });
  const retryHourly = buildRetryHourly({ ...ports, retryPending, troubles, now, retryIntervalMs });
  const handler = createHandler({ ...deps, retryHourly, deadLetters });
  return { handler, endpoint, integrations, replays, schedules, ...deps };
};

describe('the function that retries integrations', () => {
  it('logs its attempt as every attempt is logged', async () => {
    const { handler, logger } = await aRetryingHandler(() => answered(500));
    await handler(RETRY);
    expect(logger.lines).toEqual([
      {
        level: 'info',
        name: 'delivery.attempted',
        fields: {
          account: 'acme',
          integration: '0123456789Ab',
          event: 'evt_01JD',
          eventType: 'message.received',
          attempt: 2,
          trigger: 'hourly',
          outcome: 'fatal',
          statusCode: 500,
          durationMs: 0,
        },
      },
    ]);
  });

  it('counts its attempt, and how long the oldest pending event has been waiting', async () => {
    const { handler, metrics } = await aRetryingHandler(() => answered(500));
    await handler(RETRY);
    expect(metrics.flushed).toEqual({ DeliveriesFatal: 1, OldestPendingEventAge: 3_600 });
  });

  it('tells the age of the oldest pending event, though it is the turn of a newer one', async () => {
    const newer = { ...aDelivery().event, id: 'evt_2', occurredAt: '2026-11-20T12:30:00.000Z' };
    const { handler, logger, metrics } = await aRetryingHandler(() => answered(500), {
      pending: [aDelivery({ priorAttempts: 1 }), aDelivery({ event: newer })],
    });
    await handler(RETRY);
    const [first] = logger.named('delivery.attempted');
    expect(first).toMatchObject({ event: 'evt_2' });
    expect(metrics.flushed).toMatchObject({ OldestPendingEventAge: 3_600 });
  });

  it('logs and counts each of its attempts, and what it sets aside', async () => {
    const pending = Array.from({ length: 4 }, (_, minute) => {
      const occurredAt = `2026-11-20T12:0${minute}:00.000Z`;
      const event = { ...aDelivery().event, id: `evt_${minute}`, occurredAt };
      return aDelivery({ event, priorAttempts: 1 });
    });
    const { handler, logger, metrics } = await aRetryingHandler(() => answered(422), { pending });
    await handler(RETRY);
    const attempted = logger.named('delivery.attempted').map(({ event }) => event);
    expect(attempted).toEqual(['evt_0', 'evt_3', 'evt_2']);
    expect(metrics.flushed).toMatchObject({ DeliveriesFatal: 3, OldestPendingEventAge: 3_600 });
  });

  it('tells that the trouble of the integration ended', async () => {
    const { handler, logger, metrics, replays } = await aRetryingHandler(() => answered(200));
    await handler(RETRY);
    expect(logger.named('integration.trouble_ended')).toEqual([
      { account: 'acme', integration: '0123456789Ab' },
    ]);
    expect(metrics.flushed).toMatchObject({ DeliveriesDelivered: 1, TroublesEnded: 1 });
    expect(replays.requested).toEqual([{ account: 'acme', id: '0123456789Ab' }]);
  });

  it('tells of a trouble that ended because nothing was pending any more', async () => {
    const { handler, logger, metrics } = await aRetryingHandler(() => answered(500), {
      pending: [],
    });
    await handler(RETRY);
    expect(logger.lines.map(({ name }) => name)).toEqual([
      'retry.skipped',
      'integration.trouble_ended',
    ]);
    expect(metrics.flushed).toEqual({ TroublesEnded: 1 });
  });

  it('tells of a schedule that had nothing to do', async () => {
    const stored = [anIntegration({ epoch: 4 })];
    const { handler, logger, schedules } = await aRetryingHandler(() => answered(200), { stored });
    await handler(RETRY);
    expect(logger.named('retry.skipped')).toEqual([
      { account: 'acme', integration: '0123456789Ab', epoch: 3, because: 'over' },
    ]);
    expect(schedules.all).toEqual([]);
  });

  it('retries the integrations of a batch side by side', async () => {
    const neighbour = { ...SCHEDULE, id: 'bbbbbbbbbbbb' };
    const bothRequested = createBarrier(2);
    const { handler, endpoint } = await aRetryingHandler(
      async () => {
        await bothRequested();
        return answered(200);
      },
      {
        stored: [FAILED, { ...FAILED, id: neighbour.id }],
        pending: [aDelivery(), aDelivery({ integration: neighbour.id })],
      },
    );
    const inputs = [SCHEDULE, neighbour].map((schedule) => scheduleInput(schedule));
    const batch = aBatch(...inputs.map((input, index) => aRecord(`m${index}`, input)));
    expect(await handler(batch)).toEqual(ALL_DONE);
    expect(endpoint.requests).toHaveLength(2);
  });

  it('keeps its message when a part of ours fails', async () => {
    const { handler, integrations, logger, visibility } = await aRetryingHandler(() =>
      answered(500),
    );
    integrations.find = () => Promise.reject(new Error('throttled'));
    expect(await handler(RETRY)).toEqual(kept('m1'));
    expect(visibility.delaysMs).toEqual({ 'receipt of m1': 5_000 });
    expect(logger.named('record.failed')).toMatchObject([{ error: 'Error: throttled' }]);
  });

  it.each([
    ['not JSON', 'the message is not JSON'],
    ['null', 'missing or wrong: format, the message'],
    ['{}', 'missing or wrong: format, account, id, epoch'],
    [JSON.stringify({ format: 1, ...SCHEDULE, epoch: '3' }), 'missing or wrong: epoch'],
    [JSON.stringify({ format: 1, ...SCHEDULE, epoch: -1 }), 'missing or wrong: epoch'],
    [JSON.stringify({ format: 1, ...SCHEDULE, id: '' }), 'missing or wrong: id'],
  ])('puts among the dead letters what no schedule of ours says: %s', async (text, reason) => {
    const deadLetters = new InMemoryDeadLetters();
    const { handler, endpoint, logger } = await aRetryingHandler(() => answered(200), {
      deadLetters,
    });
    expect(await handler(aBatch(aRecord('m1', text)))).toEqual(ALL_DONE);
    expect(deadLetters.letters).toEqual([{ text, attributes: {}, reason }]);
    expect(logger.named('retry.unreadable')).toEqual([{ messageId: 'm1', reason }]);
    expect(endpoint.requests).toEqual([]);
  });
});
