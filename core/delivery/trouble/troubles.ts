import type {
  ChangedBy,
  IntegrationEpoch,
  IntegrationReader,
  LatestAttempt,
  Trouble,
} from '../../integration/integration.ts';
import type { Delivery } from '../delivery.ts';
import type { ReplayRequests } from '../pending/replay-requests.ts';
import type { ConfirmedNotes } from '../pending/run-replay.ts';
import {
  type AttemptStates,
  type BeginTrouble,
  buildBeginTrouble,
  type RetrySchedules,
} from './begin-trouble.ts';

/** A success, or who requested the end. Neither: nothing is pending. */
export interface EndOfTrouble {
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
export interface TroubleStates extends AttemptStates, ConfirmedNotes {
  /**
   * Removes trouble and streak, and adds one to the epoch, because of a success that began at
   * `confirmedAt`, or of a request. Resolves to whether there was a trouble, also when a success is
   * repeated.
   */
  end(epoch: IntegrationEpoch, because?: EndOfTrouble): Promise<boolean>;
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
   * Ends the trouble and requests a replay, by `requestReplay` if given. Resolves to whether there
   * was a trouble in this epoch. The schedule is removed last: if the process dies before, it
   * requests the replay at its next run and removes itself.
   */
  end(
    epoch: IntegrationEpoch,
    because?: EndOfTrouble & { requestReplay?: () => Promise<void> },
  ): Promise<boolean>;
  /** Replays pending events. Resolves to false if it is busy or failed, or the epoch is over. */
  wake(epoch: IntegrationEpoch): Promise<boolean>;
}

/**
 * Ends the failure that followed from a refusal of this very event: another message of it was under
 * way, and was confirmed. Resolves to whether there was one.
 */
export const buildEndFailureOf =
  (ports: { integrations: Pick<IntegrationReader, 'find'>; troubles: Pick<Troubles, 'end'> }) =>
  async (
    { account, integration: id, event }: Pick<Delivery, 'account' | 'integration' | 'event'>,
    confirmedAt: Date,
  ): Promise<boolean> => {
    const integration = await ports.integrations.find(account, id);
    const isFailed = integration?.trouble?.event === event.id;
    return isFailed && ports.troubles.end(integration, { confirmedAt });
  };

export interface TroublePorts {
  integrations: Pick<IntegrationReader, 'find'>;
  states: Pick<TroubleStates, 'begin' | 'end' | 'closeEpoch'>;
  schedules: RetrySchedules;
  replays: ReplayRequests;
  now: () => Date;
  retryIntervalMs: number;
}

export const buildTroubles = (ports: TroublePorts): Troubles => {
  const replayAfter = async (
    epoch: IntegrationEpoch,
    requestReplay = () => ports.replays.request(epoch, { ended: epoch.epoch }),
  ): Promise<true> => {
    await requestReplay();
    await ports.schedules.remove(epoch);
    return true;
  };
  return {
    begin: buildBeginTrouble(ports),
    end: async (epoch, { requestReplay, ...because } = {}) =>
      (await ports.states.end(epoch, because)) && replayAfter(epoch, requestReplay),
    wake: async (epoch) => (await ports.states.closeEpoch(epoch)) && replayAfter(epoch),
  };
};
