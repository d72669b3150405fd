import { describe, expect, it } from 'vitest';
import { buildMakeAttempt } from '../../../../core/delivery/attempt/make-attempt.ts';
import { buildRetryHourly } from '../../../../core/delivery/attempt/retry-hourly.ts';
import { buildRetryOldest } from '../../../../core/delivery/attempt/retry-oldest.ts';
import type { PostResult } from '../../../../core/delivery/attempt.ts';
import { buildTroubles } from '../../../../core/delivery/trouble/troubles.ts';
import { createHandler } from '../../../../lambdas/retry-hourly/handler.ts';
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
import { anIntegration } from '../../../support/integration/integrations.ts';
import { anObservation } from '../../../support/lambdas/observed-handler.ts';

const ONE_O_CLOCK = new Date('2026-11-20T13:00:00.000Z');
const SCHEDULE = { account: 'acme', id: '0123456789Ab', epoch: 3 };

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
  script: () => PostResult,
  { stored = FAILED, pending = [aDelivery({ priorAttempts: 1 })] } = {},
) => {
  const integrations = new InMemoryIntegrations(stored);
  const pendingEvents = new InMemoryPendingEvents();
  for (const delivery of pending) await pendingEvents.put(delivery, A_MESSAGE);
  const schedules = new InMemoryRetrySchedules(SCHEDULE);
  const replays = new InMemoryReplayRequests();
  const endpoint = new ScriptedWebhookEndpoint(script);
  const now = () => ONE_O_CLOCK;
  const retryIntervalMs = 3_600_000;
  const deliveryLog = new InMemoryDeliveryLog();
  const observation = anObservation();
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
  const retryOldest = buildRetryOldest({
    ...ports,
    makeAttempt: buildMakeAttempt({ endpoint, deliveryLog, now, userAgent: 'test' }),
    troubles: buildTroubles({ ...ports, now, retryIntervalMs }),
  });
  const retryHourly = buildRetryHourly({ ...ports, retryOldest, now, retryIntervalMs });
  const handler = createHandler({ retryHourly, ...observation });
  return { handler, endpoint, replays, schedules, ...observation };
};

describe('the function that retries integrations', () => {
  it('logs its attempt as every attempt is logged', async () => {
    const { handler, logger } = await aRetryingHandler(() => answered(500));
    await handler(SCHEDULE);
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
    await handler(SCHEDULE);
    expect(metrics.flushed).toEqual({ DeliveriesFatal: 1, OldestPendingEventAge: 3_600 });
  });

  it('tells that the trouble of the integration ended', async () => {
    const { handler, logger, metrics, replays } = await aRetryingHandler(() => answered(200));
    await handler(SCHEDULE);
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
    await handler(SCHEDULE);
    expect(logger.lines.map(({ name }) => name)).toEqual([
      'retry.skipped',
      'integration.trouble_ended',
    ]);
    expect(metrics.flushed).toEqual({ TroublesEnded: 1 });
  });

  it('tells of a schedule that had nothing to do', async () => {
    const stored = anIntegration({ epoch: 4 });
    const { handler, logger, schedules } = await aRetryingHandler(() => answered(200), { stored });
    await handler(SCHEDULE);
    expect(logger.named('retry.skipped')).toEqual([
      { account: 'acme', integration: '0123456789Ab', epoch: 3, because: 'over' },
    ]);
    expect(schedules.all).toEqual([]);
  });

  it('fails when a part of ours does, so that it is invoked again', async () => {
    const { handler, logger } = await aRetryingHandler(() => {
      throw new Error('out of sockets');
    });
    await expect(handler(SCHEDULE)).rejects.toThrow('out of sockets');
    expect(logger.named('retry.failed')).toMatchObject([{ error: 'Error: out of sockets' }]);
  });

  it.each([
    null,
    'text',
    {},
    { ...SCHEDULE, epoch: '3' },
    { ...SCHEDULE, epoch: -1 },
    { ...SCHEDULE, id: '' },
  ])('fails for what no schedule of ours says: %j', async (input) => {
    const { handler, endpoint } = await aRetryingHandler(() => answered(200));
    await expect(handler(input)).rejects.toThrow();
    expect(endpoint.requests).toEqual([]);
  });
});
