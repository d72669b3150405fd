import { describe, expect, it } from 'vitest';
import { positionOf } from '../../../../core/delivery/delivery.ts';
import type { Recovery, Rest } from '../../../../core/delivery/pending/replay-requests.ts';
import { buildRunRecovery } from '../../../../core/delivery/recovery/run-recovery.ts';
import { portsOver } from '../../../support/delivery/in-memory-ports.ts';
import {
  always,
  aRecovery,
  attemptOf,
  deliveriesAt,
  deliveryAt,
  NOON,
  OPEN,
  timeFor,
} from '../../../support/delivery/logged-deliveries.ts';
import {
  HALF_PAST_TWELVE,
  OF_INTEGRATION,
  TEST_EVENT,
  testAndRecoverOf,
} from '../../../support/delivery/recovery/test-and-recover-parts.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import { dyingAfter } from '../../../support/dying-process.ts';
import { A_MESSAGE } from '../../../support/event/platform-events.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';

const SINCE_NOON = { since: NOON, until: HALF_PAST_TWELVE };

const requestOf = (recovery: Recovery, rest?: Rest) => ({ ...OF_INTEGRATION, recovery, rest });
const REQUEST = requestOf(SINCE_NOON);

const idsOf = (deliveries: readonly { event: { id: string } }[]) =>
  deliveries.map(({ event }) => event.id);

describe('recovering deliveries', () => {
  it('enqueues undelivered events as replays, oldest first, with attempts', async () => {
    const [first, second, third] = [deliveryAt(0), deliveryAt(1), deliveryAt(2)];
    const { runRecovery, deliveries } = await aRecovery({
      opened: [third, first, second],
      attempts: [
        attemptOf(first, 504),
        attemptOf(first, 422, { number: 2 }),
        attemptOf(second, 200),
      ],
    });
    expect(await runRecovery(REQUEST, always)).toEqual({
      kind: 'completed',
      replayed: 0,
      resent: 2,
      skipped: 0,
    });
    expect(deliveries.deliveries).toEqual([
      { ...first, trigger: 'replay', priorAttempts: 2 },
      { ...third, trigger: 'replay', priorAttempts: 0 },
    ]);
  });

  it('sends each once while nothing that it has sent is attempted', async () => {
    const opened = deliveriesAt(60);
    const { parts, replays, queuedIds } = await aRecovery({ opened });
    const ports = portsOver(parts, { endpoint: parts.endpoint, now: () => HALF_PAST_TWELVE });
    const deliveryLog = {
      ...parts.log,
      read: async (all: readonly unknown[]) => all.map(() => ({ logged: 'listed' as const })),
    };
    const runRecovery = buildRunRecovery({ ...ports, deliveryLog });
    await runRecovery(REQUEST, always);
    for (const request of replays.requested) {
      await runRecovery({ ...request, recovery: request.recovery ?? SINCE_NOON }, always);
    }
    expect(queuedIds()).toEqual(idsOf(opened));
  });

  it('leaves deliveries in backoff to their messages, but sends late ones', async () => {
    const [waiting, late] = [deliveryAt(0), deliveryAt(1)];
    const { until } = SINCE_NOON;
    const at = (ms: number) => new Date(until.getTime() + ms);
    const { runRecovery, deliveries } = await aRecovery({
      opened: [waiting, late],
      attempts: [
        attemptOf(waiting, 504, { nextAttemptAt: at(1) }),
        attemptOf(late, 504, { nextAttemptAt: at(-1) }),
      ],
    });
    expect(await runRecovery(REQUEST, always)).toMatchObject({
      resent: 1,
    });
    expect(deliveries.deliveries).toMatchObject([{ event: late.event }]);
  });

  it.each([
    [0, 1],
    [1, 0],
  ])('leaves out what was attempted since it was requested: %i ms', async (ms, resent) => {
    const refused = deliveryAt(0);
    const startedAt = new Date(SINCE_NOON.until.getTime() + ms);
    const { runRecovery } = await aRecovery({
      opened: [refused],
      attempts: [{ ...attemptOf(refused, 500), startedAt }],
    });
    expect(await runRecovery(REQUEST, always)).toMatchObject({ kind: 'completed', resent });
  });

  it('replays what is pending first, and queues none of it a second time', async () => {
    const opened = deliveriesAt(5);
    const { runRecovery, queuedIds, pendingIds } = await aRecovery({
      opened,
      pending: opened.slice(3),
    });
    const result = await runRecovery(REQUEST, always);
    expect(result).toMatchObject({ kind: 'completed', replayed: 2, resent: 3 });
    expect(queuedIds()).toEqual(['evt_3', 'evt_4', 'evt_0', 'evt_1', 'evt_2']);
    expect(pendingIds()).toEqual([]);
  });

  it('replays what is pending though it occurred before', async () => {
    const { runRecovery, queuedIds } = await aRecovery({
      opened: [],
      pending: [deliveryAt(-9)],
    });
    await runRecovery(REQUEST, always);
    expect(queuedIds()).toEqual(['evt_-9']);
  });

  it('leaves out what occurred before or after, to the millisecond', async () => {
    const opened = [-0.001, 0, 1_800, 1_800.001].map((second) =>
      deliveryAt(second, `e${second * 1_000}`),
    );
    const { runRecovery, queuedIds } = await aRecovery({ opened });
    const result = await runRecovery(REQUEST, always);
    expect(result).toMatchObject({ kind: 'completed', resent: 2, skipped: 0 });
    expect(queuedIds()).toEqual(['e0', 'e1800000']);
  });

  it.each([
    ['test' as const, ['evt_0']],
    ['event' as const, ['evt_0', TEST_EVENT]],
  ])('knows a test by its trigger and not by its id: %s', async (trigger, queued) => {
    const likeATest = deliveryAt(1, TEST_EVENT);
    const { runRecovery, queuedIds } = await aRecovery({
      opened: [deliveryAt(0), likeATest],
      attempts: [attemptOf(likeATest, 500, { trigger })],
    });
    await runRecovery(REQUEST, always);
    expect(queuedIds()).toEqual(queued);
  });

  it('skips and counts one whose body is no longer kept', async () => {
    const { runRecovery, queuedIds } = await aRecovery({
      attempts: [attemptOf(deliveryAt(7), 500)],
    });
    const result = await runRecovery(REQUEST, always);
    expect(result).toMatchObject({ kind: 'completed', resent: 3, skipped: 1 });
    expect(queuedIds()).toEqual(['evt_0', 'evt_1', 'evt_2']);
  });

  it('goes page by page, and goes on where it stopped when time was up', async () => {
    const opened = deliveriesAt(130);
    const { runRecovery, replays, queuedIds } = await aRecovery({ opened });
    // Of the six, one finds nothing pending, and each page is read, then sent.
    const result = await runRecovery({ ...REQUEST, pace: OPEN }, timeFor(6));
    expect(result).toMatchObject({ kind: 'continued', resent: 75 });
    const [next] = replays.requested;
    expect(next).toMatchObject({ ...OF_INTEGRATION, recovery: SINCE_NOON, pace: { size: 10_000 } });
    expect(await runRecovery(requestOf(next?.recovery ?? SINCE_NOON), always)).toMatchObject({
      kind: 'completed',
      resent: 55,
    });
    expect(queuedIds()).toEqual(idsOf(opened));
    expect(replays.requested).toHaveLength(1);
  });

  // A page of the log has 25.
  it('begins with one delivery, and grows while the endpoint confirms', async () => {
    const { runRecovery, deliveries } = await aRecovery({ opened: deliveriesAt(60) });
    const sizes: number[] = [];
    const enqueue = deliveries.enqueue.bind(deliveries);
    deliveries.enqueue = async (batch) => {
      sizes.push(batch.length);
      await enqueue(batch);
    };
    await runRecovery(REQUEST, always);
    expect(sizes).toEqual([1, 3, 9, 12, 15, 10, 10]);
  });

  it('requests itself again when time is over before all is sent', async () => {
    const { runRecovery, replays, queuedIds } = await aRecovery({
      pending: deliveriesAt(150),
    });
    const result = await runRecovery({ ...REQUEST, pace: OPEN }, timeFor(1));
    expect(result).toEqual({ kind: 'continued', replayed: 100, resent: 0, skipped: 0 });
    const rest = { after: positionOf(deliveryAt(99)), last: positionOf(deliveryAt(149)) };
    expect(replays.requested).toMatchObject([
      { ...requestOf(SINCE_NOON, rest), pace: { size: 10_000 } },
    ]);
    expect(queuedIds()).toHaveLength(100);
    const next = await runRecovery(requestOf(SINCE_NOON, rest), always);
    expect(next).toMatchObject({ kind: 'completed', replayed: 50 });
  });

  it.each([
    ['after two pages', 2],
    ['at the end of the replay', 1],
  ])('does not repeat the replay when time is up %s', async (_when, times) => {
    const opened = deliveriesAt(90);
    const { runRecovery, replays, pendingEvents, pendingIds } = await aRecovery({ opened });
    await runRecovery(REQUEST, timeFor(times));
    await pendingEvents.put(deliveryAt(0), A_MESSAGE);
    const [next] = replays.requested;
    const result = await runRecovery(requestOf(next?.recovery ?? SINCE_NOON), always);
    expect(result).toMatchObject({ kind: 'completed', replayed: 0 });
    expect(pendingIds()).toEqual(['evt_0']);
  });

  it.each([
    ['failed', troubled('failed'), 'stopped'],
    ['busy', troubled('busy'), 'stopped'],
    ['inactive', anIntegration({ active: false }), 'stopped'],
    ['deleted', 'deleted' as const, 'purged'],
  ])('queues nothing while the integration is %s', async (_state, stored, kind) => {
    const { runRecovery, queuedIds, replays } = await aRecovery({ stored });
    const result = await runRecovery(REQUEST, always);
    expect(result).toEqual({ kind, replayed: 0, resent: 0, skipped: 0 });
    expect([queuedIds(), replays.requested]).toEqual([[], []]);
  });

  it('queues what did not arrive of an integration whose deliveries go on while some wait', async () => {
    const { runRecovery } = await aRecovery({ stored: troubled('waiting') });
    expect(await runRecovery(REQUEST, always)).toMatchObject({ kind: 'completed', resent: 3 });
  });

  it.each([
    ['failed', anIntegration(troubled('failed'))],
    ['deleted', undefined],
  ])('stops after the page at which the integration was %s', async (_state, after) => {
    const { runRecovery, integrations, queuedIds } = await aRecovery({
      opened: deliveriesAt(60),
    });
    let reads = 0;
    integrations.find = async () => {
      reads += 1;
      return reads > 3 ? after : anIntegration();
    };
    const result = await runRecovery({ ...REQUEST, pace: OPEN }, always);
    expect(result).toMatchObject({ kind: 'stopped', resent: 25 });
    expect(queuedIds()).toHaveLength(25);
  });
});

describe('a process that dies in the midst of a recovery', () => {
  it.each(Array.from({ length: 12 }, (_, call) => call))(
    'loses nothing: its request comes again: %i calls',
    async (count) => {
      const opened = deliveriesAt(30);
      const { parts, runRecovery, queuedIds, pendingIds } = await aRecovery({
        opened,
        pending: opened.slice(28),
      });
      const dying = testAndRecoverOf(parts, { through: dyingAfter(count) });
      await dying.runRecovery(REQUEST, always).catch(() => {});
      await runRecovery(REQUEST, always);
      expect(new Set(queuedIds())).toEqual(new Set(idsOf(opened)));
      expect(pendingIds()).toEqual([]);
    },
  );
});
