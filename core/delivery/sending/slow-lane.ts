import type { Integration, IntegrationStore } from '../../integration/integration.ts';
import { type Delivery, withAttempts } from '../delivery.ts';
import type { DeliveryQueue, QueuedDelivery } from '../delivery-queue.ts';
import { laneOf, slownessAfter } from '../lanes.ts';
import type { TroubleStates, Troubles } from '../trouble/troubles.ts';
import type { MadeAttempt } from './make-attempt.ts';
import { isReplayed } from './settle-fatal.ts';

interface MovePorts {
  slowLane: DeliveryQueue;
  troubles: Pick<Troubles, 'begin'>;
}

/**
 * Moves a delivery to the slow lane, as a new message that carries the earlier receives and whether
 * it backs off. Resolves to false if the epoch of the integration is over. If the process dies
 * before the old message is deleted, both messages exist.
 *
 * An earlier receive may have stored the delivery as pending and died. That copy is not removed,
 * because another worker may have stored it, but replayed within the hour.
 */
export const buildMoveToSlowLane =
  ({ slowLane, troubles }: MovePorts) =>
  async (
    queued: QueuedDelivery,
    integration: Integration,
    { backsOff }: { backsOff: boolean },
  ): Promise<boolean> => {
    const { delivery, receiveCount, firstReceivedAt } = queued;
    const receivedAt = firstReceivedAt.toISOString();
    const hasSchedule =
      receiveCount === 1 ||
      integration.trouble !== undefined ||
      (await troubles.begin(
        integration,
        { kind: 'waiting' },
        { latest: { lastAttemptAt: receivedAt } },
      ));
    if (!hasSchedule) return false;
    await slowLane.enqueue([
      receiveCount === 1
        ? delivery
        : receivedBefore(delivery, { receiveCount, receivedAt, backsOff }),
    ]);
    return true;
  };

const receivedBefore = (
  delivery: Delivery,
  {
    receiveCount,
    receivedAt,
    backsOff,
  }: { receiveCount: number; receivedAt: string; backsOff: boolean },
): Delivery => ({
  ...withAttempts(delivery, receiveCount - 1),
  ...(delivery.trigger === 'event' && { trigger: 'rerouted' }),
  // The log is not read for a resend, so it counts as backing off.
  ...((backsOff || delivery.trigger === 'manual') && {
    backingOffSince: delivery.backingOffSince ?? receivedAt,
  }),
  ...(backsOff && { trigger: isReplayed(delivery) ? 'replay' : 'backoff', backsOff }),
});

interface SlownessPorts {
  integrations: IntegrationStore;
  states: Pick<TroubleStates, 'noteSlowness'>;
  /** Resolves to true once an attempt is slow, to false if it ends before. */
  isSlow: (attempt: Promise<unknown>) => Promise<boolean>;
  now: () => Date;
}

/** Receives an attempt as it begins, and returns it. */
export type WatchAttempt = (
  integration: Integration,
  attempt: Promise<MadeAttempt>,
) => Promise<MadeAttempt>;

interface Tally {
  undecided: number;
  slow: number;
  fast: number;
}

/**
 * Watches the attempts of one batch, and notes on an integration how many were slow as soon as this
 * is known of all: before a slow attempt ends. If the process dies before, the integration stays in
 * its lane.
 */
export const buildWatchBatch = (ports: SlownessPorts) => {
  const note = buildNoteTally(ports);
  return (): WatchAttempt => {
    const tallies = new Map<string, Tally>();
    return async (integration, attempt) => {
      const name = `${integration.account} ${integration.id}`;
      const tally = tallies.get(name) ?? { undecided: 0, slow: 0, fast: 0 };
      tallies.set(name, tally);
      tally.undecided += 1;
      const noting = ports.isSlow(attempt).then(async (isSlow) => {
        tally[isSlow ? 'slow' : 'fast'] += 1;
        tally.undecided -= 1;
        if (tally.undecided > 0) return;
        tallies.delete(name);
        await note(integration, tally);
      });
      const [made] = await Promise.all([attempt, noting.catch(() => {})]);
      return made;
    };
  };
};

/**
 * Parallel batches read the same score, and the first one notes its attempts. Another batch with
 * slow attempts adds them to the score noted by then, unless that suffices for the slow lane: a
 * batch of the fast lane waits for each slow attempt.
 */
const buildNoteTally =
  ({ integrations, states, now }: SlownessPorts) =>
  async (read: Integration, tally: Tally): Promise<void> => {
    const slowness = slownessAfter(read, tally, now());
    if (slowness === undefined || (await states.noteSlowness(read, slowness))) return;
    if (tally.slow === 0) return;
    const stored = await integrations.find(read.account, read.id);
    // An earlier call may have noted this, with its answer lost.
    if (stored === undefined || stored.slowness?.notedAt === slowness.notedAt) return;
    if (laneOf(stored, now()) === 'slow') return;
    const together = slownessAfter(stored, tally, now());
    if (together) await states.noteSlowness(stored, together);
  };
