import type { Integration } from '../../integration/integration.ts';
import type { PendingEvents } from '../pending/pending-events.ts';
import type { ReplayRequests } from '../pending/replay-requests.ts';
import type { TroubleStates } from '../trouble/troubles.ts';
import type { Consequence, Settled } from './consequence.ts';
import type { ConfirmedSince } from './refusals.ts';
import type { TakeBack } from './set-aside.ts';
import { buildSettleFatal, type SettleFatalPorts } from './settle-fatal.ts';
import { buildSettleTransient, type SettleTransientPorts } from './settle-transient.ts';

export interface SettleAttemptPorts extends SettleFatalPorts, SettleTransientPorts {
  takeBack: TakeBack;
  states: Pick<TroubleStates, 'extendStreak' | 'confirm'>;
  pendingEvents: Pick<PendingEvents, 'removeOf'>;
  replays: ReplayRequests;
}

export type SettleAttempt = (
  settled: Settled,
  batch: { confirmedSince: ConfirmedSince },
) => Promise<Consequence>;

/**
 * Does what follows from an attempt, by its outcome. After a process that dies at any step, the
 * message can be received again.
 */
export const buildSettleAttempt = (ports: SettleAttemptPorts): SettleAttempt => {
  const endStreak = buildEndStreak(ports);
  /** Resolves to whether the success ended a trouble that stopped deliveries. */
  const afterSuccess = async ({ queued, integration, made }: Settled): Promise<boolean> => {
    // An earlier receive may have stored the delivery as pending and died before it deleted the
    // message.
    if (queued.receiveCount > 1) await ports.pendingEvents.removeOf(queued.delivery, queued);
    await ports.takeBack(queued.delivery, integration);
    const { startedAt } = made.attempt;
    const { streak } = integration;
    if (streak === undefined || startedAt < new Date(streak.since)) return false;
    return endStreak(integration, startedAt);
  };

  const settleFatal = buildSettleFatal(ports);
  const settleTransient = buildSettleTransient(ports);
  return async (settled, batch) => {
    const { made } = settled;
    const { outcome, nextAttemptAt } = made.attempt;
    if (outcome.class === 'delivered') {
      return { kind: 'delivered', made, endedTrouble: await afterSuccess(settled) };
    }
    return nextAttemptAt === undefined
      ? settleFatal(settled, batch)
      : settleTransient(settled, nextAttemptAt);
  };
};

/**
 * Ends the streak of an integration because of a success. The successes of a batch share one reading
 * of the integration: the first of them ends the streak for all. Resolves to whether this success
 * ended the busy state.
 */
const buildEndStreak = ({ states, replays }: Pick<SettleAttemptPorts, 'states' | 'replays'>) => {
  const endings = new WeakMap<Integration, Promise<boolean>>();
  const end = async (integration: Integration, confirmedAt: Date): Promise<boolean> => {
    const wasBusy = await states.confirm(integration, confirmedAt);
    if (wasBusy) await replays.request(integration, { onlyDue: true });
    return wasBusy;
  };
  return async (integration: Integration, confirmedAt: Date): Promise<boolean> => {
    const begun = endings.get(integration);
    if (begun !== undefined) {
      await begun;
      return false;
    }
    const ending = end(integration, confirmedAt);
    endings.set(integration, ending);
    return ending;
  };
};
