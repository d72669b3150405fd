import type { IntegrationEpoch, LatestAttempt, Trouble } from '../../integration/integration.ts';
import { type Attempt, REASONS } from '../attempt.ts';
import type { ReplayRequests } from '../pending/replay-requests.ts';
import type { RetrySchedules } from './retry-schedules.ts';

/** Changes of an integration's trouble. Each holds only while the integration is in the given epoch. */
export interface TroubleStates {
  /** Adds one to `transients`; the new count, or undefined when the epoch is over. */
  countTransient(epoch: IntegrationEpoch): Promise<number | undefined>;
  /** Sets `transients` to 0. */
  forgetTransients(epoch: IntegrationEpoch): Promise<void>;
  /**
   * Puts the integration into trouble. A failed integration stays as it is; a busy one can become
   * failed, and keeps the instant of its next attempt. Whether the integration is in trouble now.
   */
  begin(epoch: IntegrationEpoch, trouble: Trouble): Promise<boolean>;
  /** Takes the trouble away, sets `transients` to 0 and begins the next epoch; whether there was trouble. */
  end(epoch: IntegrationEpoch): Promise<boolean>;
  /** Raises the epoch to `next` if the integration is not in trouble; whether it did. */
  closeEpoch(epoch: IntegrationEpoch, next: number): Promise<boolean>;
  /**
   * Takes the right to the attempt that is due: sets `nextAttemptAt` if it is not later than
   * `dueBy`; whether it was, so that a schedule that fires twice retries once.
   */
  claimRetry(
    epoch: IntegrationEpoch,
    claim: { dueBy: Date; nextAttemptAt: Date },
  ): Promise<boolean>;
  /** Notes the latest attempt in the trouble, if there is trouble. */
  noteAttempt(epoch: IntegrationEpoch, latest: LatestAttempt): Promise<void>;
}

/** What begins and ends an integration's trouble. */
export interface Troubles {
  /**
   * Makes an integration busy or failed because of an attempt. Resolves to whether the integration
   * is in trouble of this epoch; false when its settings were changed or its trouble ended since
   * the attempt began.
   *
   * The schedule comes first: a process that dies before the state is set leaves a schedule with
   * nothing to do, which removes itself. Trouble without a schedule cannot happen.
   */
  begin(epoch: IntegrationEpoch, kind: Trouble['kind'], because: Attempt): Promise<boolean>;
  /**
   * Ends an integration's trouble and has its pending events replayed, by `requestReplay` where
   * given. Resolves to whether the integration was in trouble of this epoch.
   *
   * The schedule goes last: a process that dies after the state is cleared leaves the schedule,
   * which at its next run asks for the replay and removes itself.
   */
  end(epoch: IntegrationEpoch, requestReplay?: () => Promise<void>): Promise<boolean>;
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
  end: async (epoch, requestReplay = () => ports.replays.request(epoch)) => {
    if (!(await ports.states.end(epoch))) return false;
    await requestReplay();
    await ports.schedules.remove(epoch);
    return true;
  },
});

export const latestAttempt = ({ outcome: { result }, startedAt }: Attempt): LatestAttempt => ({
  ...(result.kind === 'answered'
    ? { statusCode: result.statusCode }
    : { reason: REASONS[result.reason] }),
  lastAttemptAt: startedAt.toISOString(),
});
