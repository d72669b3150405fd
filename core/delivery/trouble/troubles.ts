import * as z from 'zod';
import type {
  IntegrationEpoch,
  IntegrationKey,
  LatestAttempt,
  Streak,
  Trouble,
} from '../../integration/integration.ts';
import { type Attempt, REASONS } from '../attempt.ts';
import type { SlownessNotes } from '../lanes.ts';
import { messageText, parseMessageText } from '../message-format.ts';
import type { ReplayRequests } from '../pending/replay-requests.ts';

/**
 * The hourly schedules. Each belongs to one epoch of an integration, so that the schedule of an
 * earlier epoch cannot be taken for that of a later one.
 */
export interface RetrySchedules {
  /**
   * The schedule exists when the call resolves. It fires one retry interval after its creation,
   * then once every interval, up to some minutes late. An existing schedule keeps its times.
   */
  ensure(schedule: IntegrationEpoch): Promise<void>;
  /** The schedule does not exist when the call resolves. */
  remove(schedule: IntegrationEpoch): Promise<void>;
}

/** The message that a schedule puts on the retry queue each time it fires: JSON. */
export const scheduleInput = ({ account, id, epoch }: IntegrationEpoch): string =>
  messageText({ account, id, epoch });

const inputSchema = z.object({
  account: z.string().min(1),
  id: z.string().min(1),
  epoch: z.int().min(0),
});

/** Throws `UnreadableMessage` and `LaterFormat`. */
export const parseScheduleInput = (text: string): IntegrationEpoch =>
  parseMessageText(text, inputSchema);

/** The outcomes that a streak counts. */
export type StreakCount = 'transients' | 'refusals';

/** Writes an integration's trouble, each time only if the integration is in the given epoch. */
export interface TroubleStates extends SlownessNotes {
  /**
   * Counts a delivery's outcome in the streak, or begins one. Ignores an attempt that began before
   * the streak or before the latest known success. Resolves to the present streak; undefined when
   * there is none, or the epoch is over.
   */
  extendStreak(
    epoch: IntegrationEpoch,
    outcome: { count: StreakCount; startedAt: Date; endedAt: Date },
  ): Promise<Streak | undefined>;
  /**
   * Ends the streak because of a success whose attempt began at `confirmedAt`, within the streak. A
   * busy integration becomes waiting. Resolves to whether it was busy until this success.
   */
  confirm(epoch: IntegrationEpoch, confirmedAt: Date): Promise<boolean>;
  /**
   * Puts the integration into trouble. `failed` replaces `busy`, and both replace `waiting`;
   * `nextAttemptAt` stays. `failed` without `confirmedOthers` removes that member from a failed
   * integration. With `onlyInStreak`, requires a streak. Resolves to whether the integration is in
   * this trouble now, or in one that it does not replace.
   */
  begin(
    epoch: IntegrationEpoch,
    trouble: Trouble,
    options?: { onlyInStreak: boolean },
  ): Promise<boolean>;
  /**
   * Removes the trouble and the streak, and adds one to the epoch. `confirmedAt`: when the attempt
   * of the success began. Resolves to whether there was a trouble, also when repeated.
   */
  end(epoch: IntegrationEpoch, confirmedAt?: Date): Promise<boolean>;
  /**
   * Ends the epoch, and with it a waiting trouble. Resolves to false if the integration is busy or
   * failed.
   */
  closeEpoch(epoch: IntegrationEpoch): Promise<boolean>;
  /**
   * Claims the hourly attempt: sets `claimedAt` and `nextAttemptAt` unless an attempt was claimed
   * after `lastBefore`. Resolves to whether it did. So a schedule that fires twice makes one
   * attempt.
   */
  claimRetry(
    epoch: IntegrationEpoch,
    claim: { lastBefore: Date; claimedAt: Date; nextAttemptAt: Date },
  ): Promise<boolean>;
  /** Adds `by` to `setAside`, in any epoch. Does nothing to a deleted integration. */
  countSetAside(integration: IntegrationKey, by: 1 | -1): Promise<void>;
  /** Sets the latest attempt of the trouble, if there is a trouble. */
  noteAttempt(epoch: IntegrationEpoch, latest: LatestAttempt): Promise<void>;
}

/** Begins and ends an integration's trouble. */
export interface Troubles {
  /**
   * Puts an integration into trouble because of its latest attempt. Resolves to whether the
   * integration is in this trouble or a worse one in this epoch: false when its settings were
   * changed or its trouble ended since the attempt began, or when `onlyInStreak` is set and the
   * streak has ended.
   *
   * The schedule is made first, so there is no trouble without a schedule. If the process dies in
   * between, the schedule finds nothing to do and removes itself.
   */
  begin(
    epoch: IntegrationEpoch,
    trouble: Pick<Trouble, 'kind' | 'confirmedOthers'>,
    because: { latest: LatestAttempt; onlyInStreak?: boolean },
  ): Promise<boolean>;
  /**
   * Ends an integration's trouble, because of a success at `confirmedAt` if any, and requests a
   * replay of its pending events, by `requestReplay` if given. Resolves to whether the integration
   * was in trouble in this epoch.
   *
   * The schedule is removed last. If the process dies before, the schedule requests the replay at
   * its next run and removes itself.
   */
  end(
    epoch: IntegrationEpoch,
    options?: { confirmedAt?: Date; requestReplay?: () => Promise<void> },
  ): Promise<boolean>;
  /**
   * Replays all events that wait for an integration whose deliveries go on. Resolves to false if
   * the integration is busy or failed, or the epoch is over.
   */
  wake(epoch: IntegrationEpoch): Promise<boolean>;
}

export const buildTroubles = (ports: {
  states: Pick<TroubleStates, 'begin' | 'end' | 'closeEpoch'>;
  schedules: RetrySchedules;
  replays: ReplayRequests;
  now: () => Date;
  retryIntervalMs: number;
}): Troubles => {
  const replayAfter = async (
    epoch: IntegrationEpoch,
    requestReplay = () => ports.replays.request(epoch),
  ): Promise<true> => {
    await requestReplay();
    await ports.schedules.remove(epoch);
    return true;
  };
  return {
    begin: async (epoch, trouble, { latest, onlyInStreak = false }) => {
      await ports.schedules.ensure(epoch);
      const now = ports.now();
      const begun = {
        ...trouble,
        since: now.toISOString(),
        ...latest,
        nextAttemptAt: new Date(now.getTime() + ports.retryIntervalMs).toISOString(),
      };
      return ports.states.begin(epoch, begun, { onlyInStreak });
    },
    end: async (epoch, { confirmedAt, requestReplay } = {}) =>
      (await ports.states.end(epoch, confirmedAt)) && replayAfter(epoch, requestReplay),
    wake: async (epoch) => (await ports.states.closeEpoch(epoch)) && replayAfter(epoch),
  };
};

/** The part of an attempt that a trouble stores. */
export const latestAttempt = ({ outcome: { result }, startedAt }: Attempt): LatestAttempt => ({
  ...(result.kind === 'answered'
    ? { statusCode: result.statusCode }
    : { reason: REASONS[result.reason] }),
  lastAttemptAt: startedAt.toISOString(),
});

/**
 * Hundreds of attempts run in parallel in a replay. For this long after the first outcome of a
 * streak, attempts that began with it may still be confirmed, and the outcomes are not in a row
 * yet.
 */
const SIDE_BY_SIDE_MS = 2_000;

/** Whether at least `most` different deliveries had an outcome in a row. */
export const isInARow = (
  streak: Streak | undefined,
  { count, most, now }: { count: StreakCount; most: number; now: Date },
): boolean =>
  streak !== undefined &&
  streak[count] >= most &&
  now.getTime() - Date.parse(streak.since) >= SIDE_BY_SIDE_MS;
