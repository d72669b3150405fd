import { describe, expect, it } from 'vitest';
import type { DeadLetters } from '../../../../core/delivery/delivery-queue.ts';
import { scheduleInput } from '../../../../core/delivery/trouble/begin-trouble.ts';
import { createHandler } from '../../../../lambdas/consumers/retry-hourly/handler.ts';
import { InMemoryDeadLetters } from '../../../support/delivery/in-memory-dead-letters.ts';
import {
  answering,
  aRetry,
  eventOf,
  FAILED,
  ONE_O_CLOCK,
  REQUEST,
  SCHEDULE,
  throttled,
} from '../../../support/delivery/sending/hourly-retry.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import {
  ALL_DONE,
  aBatch,
  aRecord,
  kept,
  queueDeps,
} from '../../../support/lambdas/queue-functions.ts';
import { untouchable } from '../../../support/untouchable.ts';

const RETRY = aBatch(aRecord('m1', scheduleInput(SCHEDULE)));
const OF_INTEGRATION = { account: 'acme', integration: REQUEST.id };

/** By default with one event of 12:01 pending, refused with 500 by the endpoint. */
const retrying = async ({
  statusCode = 500,
  stored = FAILED,
  pending = [eventOf(1)],
  deadLetters = untouchable<DeadLetters>('the dead-letter queue'),
} = {}) => {
  const { retry: retryHourly, ...parts } = await aRetry({
    stored,
    pending,
    endpoint: answering(statusCode),
  });
  const deps = queueDeps({ now: () => new Date(ONE_O_CLOCK) });
  return { handler: createHandler({ ...deps, retryHourly, deadLetters }), ...parts, ...deps };
};

describe('The function that retries failed integrations', () => {
  it('logs and counts its attempt, and the age of the oldest pending event', async () => {
    const { handler, logger, metrics } = await retrying({ statusCode: 422 });
    expect(await handler(RETRY)).toEqual(ALL_DONE);
    const fields = {
      ...OF_INTEGRATION,
      event: 'evt_1',
      eventType: 'message.received',
      attempt: 2,
      trigger: 'hourly',
      outcome: 'fatal',
      statusCode: 422,
      durationMs: 0,
    };
    expect(logger.lines).toEqual([{ level: 'info', name: 'delivery.attempted', fields }]);
    expect(metrics.flushed).toEqual({ DeliveriesFatal: 1 });
  });

  it('logs and counts each attempt', async () => {
    const { handler, logger, metrics } = await retrying({
      statusCode: 422,
      pending: [2, 1, 3, 4].map(eventOf),
    });
    await handler(RETRY);
    const attempted = logger.named('delivery.attempted').map(({ event }) => event);
    expect(attempted).toEqual(['evt_1', 'evt_4', 'evt_2']);
    expect(metrics.flushed).toEqual({ DeliveriesFatal: 3 });
    const later = await retrying({ pending: [eventOf(1), { ...eventOf(5), priorAttempts: 0 }] });
    await later.handler(RETRY);
    expect(later.logger.named('delivery.attempted')[0]).toMatchObject({ event: 'evt_5' });
  });

  it('logs and counts that the trouble of the integration ended', async () => {
    const { handler, logger, metrics, replays } = await retrying({ statusCode: 200 });
    await handler(RETRY);
    expect(logger.named('integration.trouble_ended')).toEqual([OF_INTEGRATION]);
    expect(metrics.flushed).toMatchObject({ DeliveriesDelivered: 1, TroublesEnded: 1 });
    expect(replays.requested).toEqual([{ ...REQUEST, onlyDue: true }]);
  });

  it('logs and counts a trouble that ended because no event is pending', async () => {
    const { handler, logger, metrics } = await retrying({ pending: [] });
    await handler(RETRY);
    const names = logger.lines.map(({ name }) => name);
    expect(names).toEqual(['retry.skipped', 'integration.trouble_ended']);
    expect(metrics.flushed).toEqual({ TroublesEnded: 1 });
  });

  it('logs a schedule without anything to retry', async () => {
    const { handler, logger, schedules } = await retrying({ stored: anIntegration({ epoch: 4 }) });
    await handler(RETRY);
    const skipped = { ...OF_INTEGRATION, epoch: 3, because: 'over' };
    expect(logger.named('retry.skipped')).toEqual([skipped]);
    expect(schedules.all).toEqual([]);
  });

  it('logs that its schedule could not be moved, and is done', async () => {
    const { handler, schedules, logger } = await retrying({ statusCode: 422 });
    Object.assign(schedules, { move: throttled });
    expect(await handler(RETRY)).toEqual(ALL_DONE);
    expect(logger.named('schedule.not_moved')).toMatchObject([
      { ...OF_INTEGRATION, epoch: 3, error: 'Error: throttled' },
    ]);
  });

  it('keeps its message for half a minute, for one attempt more', async () => {
    const { handler, visibility } = await retrying({ statusCode: 503 });
    expect(await handler(RETRY)).toEqual(kept('m1'));
    expect(visibility.delaysMs).toEqual({ 'receipt of m1': 30_000 });
    expect(await handler(RETRY)).toEqual(ALL_DONE);
  });

  it('keeps its message if a call of AWS fails', async () => {
    const { handler, integrations, logger, visibility } = await retrying();
    integrations.find = throttled;
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
  ])('makes a message that it cannot read a dead letter: %s', async (text, reason) => {
    const deadLetters = new InMemoryDeadLetters();
    const { handler, attemptedIds, logger } = await retrying({ deadLetters });
    expect(await handler(aBatch(aRecord('m1', text)))).toEqual(ALL_DONE);
    expect(deadLetters.letters).toEqual([{ text, attributes: {}, reason }]);
    expect(logger.named('retry.unreadable')).toEqual([{ messageId: 'm1', reason }]);
    expect(attemptedIds()).toEqual([]);
  });
});
