import type {
  Integration,
  IntegrationEpoch,
  LatestAttempt,
  Trouble,
} from '../../integration/integration.ts';
import { type Attempt, REASONS } from '../attempt.ts';
import type { ReplayRequests } from '../pending/replay-requests.ts';
import type { RetrySchedules } from './retry-schedules.ts';

/** Transient outcomes of different deliveries in a row: see `Integration`. */
export type TransientRow = Pick<Integration, 'transients' | 'transientsSince'>;

/** Writes an integration's trouble, each time only if the integration is in the given epoch. */
export interface TroubleStates {
  /**
   * Counts a delivery's transient outcome, unless its attempt began before the row of transient
   * outcomes did. Resolves to the row; undefined when the epoch is over.
   */
  countTransient(
    epoch: IntegrationEpoch,
    attempt: { startedAt: Date; endedAt: Date },
  ): Promise<TransientRow | undefined>;
  /**
   * Ends the row of transient outcomes because of a success. Resolves to whether the integration is
   * busy in this epoch.
   */
  confirm(epoch: IntegrationEpoch, confirmedAt: Date): Promise<boolean>;
  /**
   * Puts the integration into trouble. A failed integration stays as it is. A busy integration can
   * become failed, and keeps its `nextAttemptAt`. Resolves to whether the integration is in trouble
   * now.
   */
  begin(epoch: IntegrationEpoch, trouble: Trouble): Promise<boolean>;
  /**
   * Ends the trouble: removes it and the row of transient outcomes, and adds one to the epoch.
   * `confirmedAt`: the success that ends it. Resolves to whether there was a trouble.
   */
  end(epoch: IntegrationEpoch, confirmedAt?: Date): Promise<boolean>;
  /** Raises the epoch to `next` unless the integration is in trouble; whether it did. */
  closeEpoch(epoch: IntegrationEpoch, next: number): Promise<boolean>;
  /** Sets `awaitsReplay`. Does nothing when the epoch is over. */
  awaitReplay(epoch: IntegrationEpoch): Promise<void>;
  /**
   * Claims the attempt that is due: sets `nextAttemptAt` if the stored instant is not later than
   * `dueBy`. Resolves to whether it did, so that a schedule that fires twice makes one attempt.
   */
  claimRetry(
    epoch: IntegrationEpoch,
    claim: { dueBy: Date; nextAttemptAt: Date },
  ): Promise<boolean>;
  /** Sets `slowAt`, in any epoch. Does nothing to a deleted integration. */
  noteSlow(integration: Pick<Integration, 'account' | 'id'>, slowAt: Date): Promise<void>;
  /** Removes `slowAt`, in any epoch, unless it was set again. */
  clearSlow(integration: Pick<Integration, 'account' | 'id'>, slowAt: string): Promise<void>;
  /** Adds `by` to `setAside`, in any epoch. Does nothing to a deleted integration. */
  countSetAside(integration: Pick<Integration, 'account' | 'id'>, by: 1 | -1): Promise<void>;
  /** Sets the latest attempt of the trouble, if there is a trouble. */
  noteAttempt(epoch: IntegrationEpoch, latest: LatestAttempt): Promise<void>;
}

/** Begins and ends an integration's trouble. */
export interface Troubles {
  /**
   * Makes an integration busy or failed because of an attempt. Resolves to whether the integration
   * is in trouble in this epoch: false when its settings were changed or its trouble ended since
   * the attempt began.
   *
   * The schedule is made first: a process that dies before the trouble is stored leaves a schedule
   * with nothing to do, which removes itself. So there is no trouble without a schedule.
   */
  begin(epoch: IntegrationEpoch, kind: Trouble['kind'], because: Attempt): Promise<boolean>;
  /**
   * Ends an integration's trouble, because of a success at `confirmedAt` if there was one, and asks
   * for a replay of its pending events, by `requestReplay` if given. Resolves to whether the integration was in trouble in this epoch.
   *
   * The schedule is removed last: a process that dies after the trouble is removed leaves the
   * schedule, which at its next run asks for the replay and removes itself.
   */
  end(
    epoch: IntegrationEpoch,
    options?: { confirmedAt?: Date; requestReplay?: () => Promise<void> },
  ): Promise<boolean>;
}

export const buildTroubles = (ports: {
  states: Pick<TroubleStates, 'begin' | 'end'>;
  schedules: RetrySchedules;
  replays: ReplayRequests;
  now: () => Date;
  retryIntervalMs: number;
}): Troubles => ({
  begin: async (epoch, kind, because) => {
    await ports.schedules.ensure(epoch);
    const now = ports.now();
    return ports.states.begin(epoch, {
      kind,
      since: now.toISOString(),
      ...latestAttempt(because),
      nextAttemptAt: new Date(now.getTime() + ports.retryIntervalMs).toISOString(),
    });
  },
  end: async (epoch, { confirmedAt, requestReplay = () => ports.replays.request(epoch) } = {}) => {
    if (!(await ports.states.end(epoch, confirmedAt))) return false;
    await requestReplay();
    await ports.schedules.remove(epoch);
    return true;
  },
});

/** The part of an attempt that a trouble stores. */
export const latestAttempt = ({ outcome: { result }, startedAt }: Attempt): LatestAttempt => ({
  ...(result.kind === 'answered'
    ? { statusCode: result.statusCode }
    : { reason: REASONS[result.reason] }),
  lastAttemptAt: startedAt.toISOString(),
});
