import { canReplay, type Integration, isStopped } from '../../integration/integration.ts';
import { endOf } from '../attempt.ts';
import { afterAttempt } from '../delivery.ts';
import { isInARow, latestAttempt } from '../trouble/begin-trouble.ts';
import { backoffAfter, buildTakeSlot } from './backoff.ts';
import type { Consequence, Settled, SettlingPorts } from './consequence.ts';
import { buildStoreWaiting, buildTakeBack } from './keep-event.ts';
import type { ReadLog } from './read-log.ts';
import { buildSettleFatal, type ConfirmedSince } from './settle-fatal.ts';

/** Applies the consequence of an attempt. If the process dies, the message is received again. */
export const buildSettleAttempt = (ports: SettlingPorts) => {
  const settleSuccess = buildSettleSuccess(ports);
  const settleFatal = buildSettleFatal(ports);
  const settleTransient = buildSettleTransient(ports);
  return async (
    settled: Settled,
    batch: { confirmedSince: ConfirmedSince; readLog: ReadLog },
  ): Promise<Consequence> => {
    const { outcome, nextAttemptAt } = settled.made.attempt;
    if (outcome.class === 'delivered') return settleSuccess(settled);
    return nextAttemptAt === undefined
      ? settleFatal(settled, batch)
      : settleTransient(settled, nextAttemptAt);
  };
};

const buildSettleSuccess = (ports: SettlingPorts) => {
  const takeBack = buildTakeBack(ports);
  const endStreak = buildEndStreak(ports);
  return async ({ queued, integration, made }: Settled): Promise<Consequence> => {
    // An earlier receive may have stored the delivery as pending and died.
    if (queued.receiveCount > 1) await ports.pendingEvents.removeOf(queued.delivery, queued);
    await takeBack(queued.delivery, integration);
    const endedTrouble =
      integration.streak !== undefined && (await endStreak(integration, made.attempt.startedAt));
    return { kind: 'delivered', made, endedTrouble };
  };
};

/** Of the successes of a batch the first ends the streak; resolves to whether it ended `busy`. */
const buildEndStreak = ({ states, replays }: Pick<SettlingPorts, 'states' | 'replays'>) => {
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

/** An attempt that begins after a streak of this age shows that nothing is confirmed now. */
const DRY_STREAK_MS = 7_500;

const buildSettleTransient = (ports: SettlingPorts) => {
  const takeSlot = buildTakeSlot(ports);
  const storeWaiting = buildStoreWaiting(ports);
  return async (settled: Settled, nextAttemptAt: Date): Promise<Consequence> => {
    const { queued, integration, made } = settled;
    const { startedAt } = made.attempt;
    const endedAt = endOf(made.attempt);
    const latest = latestAttempt(made.attempt);
    const streak = isFirstOfDelivery(settled)
      ? await ports.states.extendStreak(integration, { count: 'transients', startedAt, endedAt })
      : integration.streak;
    const wasStopped = isStopped(integration);
    // A stopped integration whose replay went on becomes failed, and its replay ends.
    const kind = wasStopped ? ('failed' as const) : ('busy' as const);
    const began =
      isInARow(streak, { count: 'transients', most: ports.busyAfter, now: endedAt }) &&
      canReplay(integration) &&
      (await ports.troubles.begin(integration, { kind }, { latest, onlyInStreak: true }));
    const became = began && { became: kind };
    const inTrouble = began || wasStopped;
    const isDry =
      streak !== undefined && startedAt.getTime() - Date.parse(streak.since) >= DRY_STREAK_MS;
    const limit = inTrouble || isDry ? ports.backoffLimits.probes : ports.backoffLimits.most;
    if (await takeSlot(integration, { limit, now: endedAt, until: nextAttemptAt })) {
      return { kind: 'backing-off', made, nextAttemptAt, ...became };
    }
    const backoff = inTrouble
      ? queued.resumed
      : backoffAfter(queued, { attempts: 1, hasSlot: false });
    const isStored = await storeWaiting(afterAttempt(queued.delivery, backoff), integration, {
      latest,
      messageId: queued.messageId,
      dueAt: nextAttemptAt,
      inTrouble: inTrouble || integration.trouble !== undefined,
    });
    return isStored ? { kind: 'pending', made, ...became } : { kind: 'outdated', made };
  };
};

/** Whether the attempt is the delivery's first since the latest success that is known. */
const isFirstOfDelivery = ({ queued: { delivery, receiveCount } }: Settled): boolean =>
  receiveCount === 1 && delivery.backoff === undefined;
