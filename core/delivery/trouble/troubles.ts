import type {
  ChangedBy,
  IntegrationEpoch,
  IntegrationReader,
  LatestAttempt,
  Trouble,
} from '../../integration/integration.ts';
import type { ReplayNotes, ReplayRequests } from '../pending/replay-requests.ts';
import {
  type AttemptStates,
  type BeginTrouble,
  buildBeginTrouble,
  type RetrySchedules,
} from './begin-trouble.ts';

/** A success that began then, or who requested it. Neither: nothing is pending. */
export interface Recovered {
  readonly confirmedAt?: Date;
  readonly requestedBy?: ChangedBy;
}

export interface RetryClaim {
  readonly lastBefore: Date;
  readonly claimedAt: Date;
  /** The id of the message. */
  readonly claimedBy: string;
  readonly nextAttemptAt: Date;
}

/** Writes the trouble of an integration, each time only in the given epoch. */
export interface TroubleStates extends AttemptStates, ReplayNotes {
  /**
   * Makes a busy or failed integration waiting, and removes the streak. Resolves to whether it did,
   * also when a success is repeated.
   */
  recover(epoch: IntegrationEpoch, because?: Recovered): Promise<boolean>;
  /** Ends the epoch and a waiting trouble. Resolves to false if it is busy or failed. */
  closeEpoch(epoch: IntegrationEpoch): Promise<boolean>;
  /**
   * Claims the hourly attempts for a message, unless another message has claimed them after
   * `lastBefore`: a schedule that fires twice makes them once, and a message that comes back after a
   * fault makes them. Resolves to whether it did.
   */
  claimRetry(epoch: IntegrationEpoch, claim: RetryClaim): Promise<boolean>;
  /** Keeps `walkedTo` unless it is given. Resolves to false if there is no trouble in this epoch. */
  noteAttempt(
    epoch: IntegrationEpoch,
    latest: LatestAttempt & Pick<Trouble, 'walkedTo'>,
  ): Promise<boolean>;
}

export interface Troubles {
  readonly begin: BeginTrouble;
  /**
   * Makes a busy or failed integration waiting: deliveries go on, and what is due is replayed. The
   * rest waits for the schedule, which stays; if the process dies before the replay is requested, all
   * waits for it. Resolves to whether it was busy or failed.
   */
  recover(epoch: IntegrationEpoch, because?: Recovered): Promise<boolean>;
  /** Removes the schedule of a waiting integration. Resolves to false if it is busy or failed. */
  close(epoch: IntegrationEpoch): Promise<boolean>;
}

export interface TroublePorts {
  integrations: Pick<IntegrationReader, 'find'>;
  states: Pick<TroubleStates, 'begin' | 'recover' | 'closeEpoch'>;
  schedules: RetrySchedules;
  replays: ReplayRequests;
  now: () => Date;
  retryIntervalMs: number;
}

export const buildTroubles = (ports: TroublePorts): Troubles => ({
  begin: buildBeginTrouble(ports),
  recover: async (epoch, because) => {
    if (!(await ports.states.recover(epoch, because))) return false;
    await ports.replays.request(epoch, { onlyDue: true });
    return true;
  },
  close: async (epoch) => {
    if (!(await ports.states.closeEpoch(epoch))) return false;
    // An event may have been stored since it was seen that none is pending.
    await ports.replays.request(epoch);
    await ports.schedules.remove(epoch);
    return true;
  },
});
