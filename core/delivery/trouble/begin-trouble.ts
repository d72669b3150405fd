import * as z from 'zod';
import type {
  IntegrationEpoch,
  IntegrationKey,
  IntegrationReader,
  LatestAttempt,
  Streak,
  Trouble,
} from '../../integration/integration.ts';
import type { Attempt } from '../attempt.ts';
import type { SlownessNotes } from '../lanes.ts';
import { messageText, parseMessageText } from '../message-format.ts';
import type { ReminderNotes } from '../pending/store-pending.ts';

/** The hourly schedules, one for each epoch: an earlier one cannot be taken for a later one. */
export interface RetrySchedules {
  /** Durable when it resolves. Fires every retry interval; an existing one keeps its times. */
  ensure(schedule: IntegrationEpoch): Promise<void>;
  /**
   * Moves the next firing of a schedule, and with it all later ones. Does nothing if the schedule does
   * not exist.
   */
  move(schedule: IntegrationEpoch, next: Date): Promise<void>;
  /** The schedule does not exist when the call resolves. */
  remove(schedule: IntegrationEpoch): Promise<void>;
}

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

export type StreakCount = 'transients' | 'refusals';

/** The state that attempts write. Writes that name an epoch fail when it is over. */
export interface AttemptStates extends SlownessNotes, ReminderNotes {
  /**
   * Counts an outcome in the streak, or begins one. Ignores an attempt that began before the streak
   * or before the latest known success. Undefined when there is no streak, or the epoch is over.
   */
  extendStreak(
    epoch: IntegrationEpoch,
    outcome: { count: StreakCount; startedAt: Date; endedAt: Date },
  ): Promise<Streak | undefined>;
  /**
   * Ends the streak by a success that began in it, and makes a busy integration waiting. Resolves to
   * whether it was busy.
   */
  confirm(epoch: IntegrationEpoch, confirmedAt: Date): Promise<boolean>;
  /**
   * `failed` replaces `busy`, and both replace `waiting`; `nextAttemptAt` stays. Does nothing because
   * of an attempt that began before the latest known success. `onlyInStreak` requires a streak.
   * Resolves to whether the integration is now in this trouble, or in one that it does not replace.
   */
  begin(
    epoch: IntegrationEpoch,
    trouble: Trouble,
    options?: { onlyInStreak: boolean },
  ): Promise<boolean>;
  /** Adds `by` to `setAside`, in any epoch. Does nothing to a deleted integration. */
  countSetAside(integration: IntegrationKey, by: 1 | -1): Promise<void>;
}

/**
 * Resolves to whether the integration is in this trouble or a worse one: false when its epoch is
 * over, when `onlyInStreak` is set and the streak has ended, or when it confirmed another event after
 * the attempt began.
 *
 * The schedule is made first, unless the integration is in trouble already: there is no trouble
 * without one. If the process dies in between, the schedule finds nothing to do and removes itself.
 */
export type BeginTrouble = (
  epoch: IntegrationEpoch,
  trouble: Pick<Trouble, 'kind' | 'confirmedOthers' | 'event'>,
  because: { latest: LatestAttempt; onlyInStreak?: boolean },
) => Promise<boolean>;

export const buildBeginTrouble =
  (ports: {
    integrations: Pick<IntegrationReader, 'find'>;
    states: Pick<AttemptStates, 'begin'>;
    schedules: Pick<RetrySchedules, 'ensure'>;
    now: () => Date;
    retryIntervalMs: number;
  }): BeginTrouble =>
  async (epoch, trouble, { latest, onlyInStreak = false }) => {
    const stored = await ports.integrations.find(epoch.account, epoch.id);
    if (stored?.epoch !== epoch.epoch) return false;
    if (stored.trouble === undefined) await ports.schedules.ensure(epoch);
    const now = ports.now();
    const begun = {
      ...trouble,
      since: now.toISOString(),
      ...latest,
      nextAttemptAt: new Date(now.getTime() + ports.retryIntervalMs).toISOString(),
    };
    return ports.states.begin(epoch, begun, { onlyInStreak });
  };

/** The part of an attempt that a trouble stores. */
export const latestAttempt = ({ outcome: { result }, startedAt }: Attempt): LatestAttempt => ({
  ...(result.kind === 'answered' ? { statusCode: result.statusCode } : { reason: result.reason }),
  lastAttemptAt: startedAt.toISOString(),
});

/**
 * How old a streak must be: attempts that began with its first outcome may still be confirmed, and
 * an endpoint that takes so many requests a minute may refuse all others for the rest of it.
 */
const LEAST_AGE_MS: Readonly<Record<StreakCount, number>> = { transients: 2_000, refusals: 65_000 };

export const isInARow = (
  streak: Streak | undefined,
  { count, most, now }: { count: StreakCount; most: number; now: Date },
): boolean =>
  streak !== undefined &&
  streak[count] >= most &&
  now.getTime() - Date.parse(streak.since) >= LEAST_AGE_MS[count];
