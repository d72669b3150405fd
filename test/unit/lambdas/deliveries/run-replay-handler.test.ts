import type { Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { positionOf } from '../../../../core/delivery/delivery.ts';
import type { DeadLetters, DeliveryQueue } from '../../../../core/delivery/delivery-queue.ts';
import { replayMessage } from '../../../../core/delivery/pending/replay-requests.ts';
import { buildRunReplay } from '../../../../core/delivery/pending/run-replay.ts';
import { buildRunRecovery } from '../../../../core/delivery/recovery/run-recovery.ts';
import { createHandler } from '../../../../lambdas/consumers/run-replay/handler.ts';
import { CONFIRMING } from '../../../support/delivery/confirming-log.ts';
import { InMemoryDeadLetters } from '../../../support/delivery/in-memory-dead-letters.ts';
import { InMemoryDeliveryLog } from '../../../support/delivery/in-memory-delivery-log.ts';
import { InMemoryDeliveryQueue } from '../../../support/delivery/in-memory-delivery-queue.ts';
import { attemptOf, OPEN } from '../../../support/delivery/logged-deliveries.ts';
import { InMemoryPendingEvents } from '../../../support/delivery/pending/in-memory-pending-events.ts';
import { InMemoryReplayRequests } from '../../../support/delivery/pending/in-memory-replay-requests.ts';
import { A_MESSAGE, aDelivery, anEventReference } from '../../../support/event/platform-events.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import {
  ALL_DONE,
  aBatch,
  aRecord,
  kept,
  queueDeps,
} from '../../../support/lambdas/queue-functions.ts';
import { untouchable } from '../../../support/untouchable.ts';

const OF_INTEGRATION = { account: 'acme', integration: '0123456789Ab' };
const REQUEST = aBatch(aRecord('m1', replayMessage({ account: 'acme', id: '0123456789Ab' })));

/** The remaining times that a function reads, one after the other. */
const aContext = (...remainingMs: number[]) =>
  ({ getRemainingTimeInMillis: () => remainingMs.shift() ?? 0 }) as Context;

const PLENTY = Array.from({ length: 10 }, () => 60_000);

/** An integration without trouble, with pending events of noon. */
const aReplayingHandler = async ({
  pending = 3,
  integrations = new InMemoryIntegrations(anIntegration()),
  deadLetters = untouchable<DeadLetters>('the dead-letter queue'),
} = {}) => {
  const pendingEvents = new InMemoryPendingEvents();
  for (let index = 0; index < pending; index += 1) {
    await pendingEvents.put(aDelivery({ event: anEventReference(`evt_${index}`) }), A_MESSAGE);
  }
  const log = new InMemoryDeliveryLog();
  const deliveries = new InMemoryDeliveryQueue();
  const replays = new InMemoryReplayRequests();
  const now = () => new Date('2026-11-20T12:10:00.000Z');
  const deps = queueDeps({ now });
  const ports = {
    ...{ integrations, pendingEvents, deliveries, deliveryLogReader: log, replays, now },
    slowLane: untouchable<DeliveryQueue>('the slow lane'),
    states: integrations,
    retryIntervalMs: 3_600_000,
    deliveryLog: CONFIRMING,
    pause: async () => {},
  };
  const handler = createHandler({
    ...deps,
    runReplay: buildRunReplay(ports),
    runRecovery: buildRunRecovery(ports),
    deadLetters,
  });
  return { handler, log, pendingEvents, deliveries, replays, ...deps };
};

/** The rest after a run that stopped at the hundredth of these events of one instant. */
const restOf = (left: InMemoryPendingEvents) => {
  const places = left.of('0123456789Ab').map(positionOf);
  return { after: expect.stringMatching(/#evt_/), last: places.at(-1) };
};

const PERIOD = { since: '2026-11-20T11:00:00.000Z', until: '2026-11-20T12:10:00.000Z' };
const requestOf = (options: object) =>
  aBatch(
    aRecord('m1', JSON.stringify({ format: 1, account: 'acme', id: '0123456789Ab', ...options })),
  );
const RECOVERY = requestOf({ recovery: PERIOD });

describe('The function that replays pending events', () => {
  it('logs and counts what it replayed', async () => {
    const { handler, logger, metrics, pendingEvents } = await aReplayingHandler();
    expect(await handler(REQUEST, aContext(...PLENTY))).toEqual(ALL_DONE);
    expect(pendingEvents.of('0123456789Ab')).toEqual([]);
    const fields = { ...OF_INTEGRATION, result: 'completed', replayed: 3 };
    expect(logger.lines).toEqual([{ level: 'info', name: 'replay.ended', fields }]);
    expect(metrics.flushed).toEqual({ EventsReplayed: 3 });
  });

  it('counts nothing if no event was pending', async () => {
    const { handler, metrics } = await aReplayingHandler({ pending: 0 });
    await handler(REQUEST, aContext(...PLENTY));
    expect(metrics.flushed).toEqual({});
  });

  it('logs and counts what a recovery replayed, resent and skipped', async () => {
    const { handler, log, logger, metrics } = await aReplayingHandler();
    await log.list([aDelivery({ event: anEventReference('evt_lost') })]);
    await log.record(attemptOf(aDelivery({ event: anEventReference('evt_gone') }), 500));
    expect(await handler(RECOVERY, aContext(...PLENTY))).toEqual(ALL_DONE);
    const counts = { replayed: 3, resent: 1, skipped: 1 };
    const fields = { ...OF_INTEGRATION, since: PERIOD.since, result: 'completed', ...counts };
    expect(logger.lines).toEqual([{ level: 'info', name: 'recovery.ended', fields }]);
    expect(metrics.flushed).toEqual({ EventsReplayed: 4 });
  });

  it.each([
    ['replay', requestOf({ pace: OPEN }), {}],
    [
      'recovery',
      requestOf({ pace: OPEN, recovery: PERIOD }),
      { recovery: { since: new Date(PERIOD.since), until: new Date(PERIOD.until) } },
    ],
  ])('stops a %s in time and asks for a run that goes on', async (kind, request, recovery) => {
    const { handler, logger, pendingEvents, replays } = await aReplayingHandler({ pending: 150 });
    expect(await handler(request, aContext(60_000, 5_000))).toEqual(ALL_DONE);
    expect(pendingEvents.of('0123456789Ab')).toHaveLength(50);
    expect(replays.requested).toEqual([
      {
        ...{ account: 'acme', id: '0123456789Ab', ...recovery, rest: restOf(pendingEvents) },
        pace: expect.objectContaining({ size: 10_000 }),
      },
    ]);
    const ended = { result: 'continued', replayed: 100 };
    expect(logger.named(`${kind}.ended`)).toMatchObject([ended]);
  });

  it('puts a request off that is not due yet, and touches nothing', async () => {
    const integrations = untouchable<InMemoryIntegrations>('the integrations');
    const { handler, visibility, logger } = await aReplayingHandler({ integrations });
    const request = requestOf({ notBefore: '2026-11-20T12:10:20.000Z' });
    expect(await handler(request, aContext(...PLENTY))).toEqual(kept('m1'));
    expect(visibility.delaysMs).toEqual({ 'receipt of m1': 20_000 });
    expect(logger.lines).toEqual([]);
    const due = await aReplayingHandler();
    const nowDue = requestOf({ notBefore: '2026-11-20T12:10:00.000Z' });
    expect(await due.handler(nowDue, aContext(...PLENTY))).toEqual(ALL_DONE);
    expect(due.pendingEvents.of('0123456789Ab')).toEqual([]);
  });

  it.each([
    ['replay', REQUEST],
    ['recovery', RECOVERY],
  ])('keeps the request of a %s if a call of AWS fails', async (_kind, request) => {
    const integrations = new InMemoryIntegrations();
    integrations.find = () => Promise.reject(new Error('throttled'));
    const { handler, log, logger, visibility } = await aReplayingHandler({ integrations });
    log.undelivered = () => Promise.reject(new Error('throttled'));
    expect(await handler(request, aContext(...PLENTY))).toEqual(kept('m1'));
    expect(visibility.delaysMs).toEqual({ 'receipt of m1': 5_000 });
    expect(logger.named('record.failed')).toMatchObject([{ error: 'Error: throttled' }]);
  });

  it.each([
    ['not JSON', 'the message is not JSON'],
    ['{}', 'missing or wrong: format, account, id'],
    ['{"format":1,"account":"acme"}', 'missing or wrong: id'],
    ['{"format":1,"account":"acme","id":""}', 'missing or wrong: id'],
    [
      '{"format":1,"account":"acme","id":"0123456789Ab","recovery":{"since":"2026-11-20T12:00:00.000Z"}}',
      'missing or wrong: recovery.until',
    ],
    [
      '{"format":1,"account":"acme","id":"0123456789Ab","recovery":{"since":"noon","until":"now"}}',
      'missing or wrong: recovery.since, recovery.until',
    ],
  ])('makes a request that it cannot read a dead letter: %s', async (text, reason) => {
    const deadLetters = new InMemoryDeadLetters();
    const { handler, logger } = await aReplayingHandler({ deadLetters });
    expect(await handler(aBatch(aRecord('m1', text)), aContext(...PLENTY))).toEqual(ALL_DONE);
    expect(deadLetters.letters).toEqual([{ text, attributes: {}, reason }]);
    expect(logger.named('replay.unreadable')).toEqual([{ messageId: 'm1', reason }]);
  });
});
