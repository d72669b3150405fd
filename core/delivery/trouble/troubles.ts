import type {
  Integration,
  IntegrationEpoch,
  IntegrationKey,
  LatestAttempt,
  Slowness,
  Streak,
  Trouble,
} from '../../integration/integration.ts';
import { type Attempt, REASONS } from '../attempt.ts';
import type { ReplayRequests } from '../pending/replay-requests.ts';
import type { RetrySchedules } from './retry-schedules.ts';

/** What a streak counts: see `Streak`. */
export type StreakCount = 'transients' | 'refusals';

/** Writes an integration's trouble, each time only if the integration is in the given epoch. */
export interface TroubleStates {
  /**
   * Counts a delivery's outcome in the streak, which it may begin. Does not count an outcome whose
   * attempt began before the streak did, or before the latest known success. Resolves to the streak
   * as it is then; undefined when there is none, or the epoch is over.
   */
  extendStreak(
    epoch: IntegrationEpoch,
    outcome: { count: StreakCount; startedAt: Date; endedAt: Date },
  ): Promise<Streak | undefined>;
  /**
   * Ends the streak because of a success whose attempt began at `confirmedAt`, within the streak.
   * With the streak a busy integration becomes waiting. Resolves to whether it was busy until this
   * success.
   */
  confirm(epoch: IntegrationEpoch, confirmedAt: Date): Promise<boolean>;
  /**
   * Puts the integration into trouble. `failed` replaces `busy`, and both replace `waiting`; the
   * schedule keeps its times, so `nextAttemptAt` stays. `failed` without `confirmedOthers` removes
   * that member from an integration that is failed already. With `onlyInStreak`, does so only if the
   * integration has a streak. Resolves to whether the integration is in this trouble now, or in one
   * that this trouble does not replace.
   */
  begin(
    epoch: IntegrationEpoch,
    trouble: Trouble,
    options?: { onlyInStreak: boolean },
  ): Promise<boolean>;
  /**
   * Ends the trouble: removes it and the streak, and adds one to the epoch. `confirmedAt`: when the
   * attempt of the success that ends it began. Resolves to whether there was a trouble, also when
   * the call is repeated.
   */
  end(epoch: IntegrationEpoch, confirmedAt?: Date): Promise<boolean>;
  /**
   * Ends the epoch, and with it a trouble that does not stop deliveries. Resolves to whether it
   * did: not if the integration is busy or failed.
   */
  closeEpoch(epoch: IntegrationEpoch): Promise<boolean>;
  /**
   * Claims the hourly attempt: sets `claimedAt` and `nextAttemptAt` unless an attempt was claimed
   * after `lastBefore`. Resolves to whether it did, so that a schedule that fires twice makes one
   * attempt.
   */
  claimRetry(
    epoch: IntegrationEpoch,
    claim: { lastBefore: Date; claimedAt: Date; nextAttemptAt: Date },
  ): Promise<boolean>;
  /**
   * Sets `slowness`, or removes it if the score is 0, in any epoch. Resolves to whether it did: not
   * if it is not as `read` has it any more.
   */
  noteSlowness(read: Integration, slowness: Slowness): Promise<boolean>;
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
   * changed or its trouble ended since the attempt began, or when `onlyInStreak` is asked for and
   * the streak has ended.
   *
   * The schedule is made first: a process that dies before the trouble is stored leaves a schedule
   * with nothing to do, which removes itself. So there is no trouble without a schedule.
   */
  begin(
    epoch: IntegrationEpoch,
    trouble: Pick<Trouble, 'kind' | 'confirmedOthers'>,
    because: { latest: LatestAttempt; onlyInStreak?: boolean },
  ): Promise<boolean>;
  /**
   * Ends an integration's trouble, because of a success at `confirmedAt` if there was one, and asks
   * for a replay of its pending events, by `requestReplay` if given. Resolves to whether the
   * integration was in trouble in this epoch.
   *
   * The schedule is removed last: a process that dies after the trouble is removed leaves the
   * schedule, which at its next run asks for the replay and removes itself.
   */
  end(
    epoch: IntegrationEpoch,
    options?: { confirmedAt?: Date; requestReplay?: () => Promise<void> },
  ): Promise<boolean>;
  /**
   * Has everything replayed that waits for an integration whose deliveries go on. Resolves to
   * whether it did: not if the integration is busy or failed, or the epoch is over. Steps as in
   * `end`.
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
 * Attempts run side by side, hundreds in a replay. For so long after the first outcome of a streak,
 * attempts that began with it may still be confirmed, and the outcomes are not in a row yet.
 */
const SIDE_BY_SIDE_MS = 2_000;

/** Whether so many different deliveries had an outcome in a row, with no success between. */
export const isInARow = (
  streak: Streak | undefined,
  { count, most, now }: { count: StreakCount; most: number; now: Date },
): boolean =>
  streak !== undefined &&
  streak[count] >= most &&
  now.getTime() - Date.parse(streak.since) >= SIDE_BY_SIDE_MS;
