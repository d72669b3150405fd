import type { PendingEvents } from '../../../core/delivery/pending/pending-events.ts';
import type { ReplayRequest } from '../../../core/delivery/pending/replay-requests.ts';
import type { RunReplay } from '../../../core/delivery/pending/run-replay.ts';
import type { RunRecovery } from '../../../core/delivery/recovery/run-recovery.ts';
import type { Reporting } from '../../runtime/reporting.ts';

export interface RunDeps extends Reporting {
  readonly runReplay: RunReplay;
  readonly runRecovery: RunRecovery;
  readonly pendingEvents: Pick<PendingEvents, 'oldest'>;
  readonly now: () => Date;
}

/** Measures how old an integration's oldest pending event is when a run begins. */
export const reportOldest = async (
  integration: string,
  { pendingEvents, metrics, now }: RunDeps,
): Promise<void> => {
  const [oldest] = await pendingEvents.oldest(integration, 1);
  if (oldest === undefined) return;
  const occurredAt = Date.parse(oldest.delivery.event.occurredAt);
  metrics.oldestPendingEvent({ seconds: (now().getTime() - occurredAt) / 1_000 });
};

/** Makes the run that a request asks for, and logs and counts what it did. */
export const runRequest = async (
  request: ReplayRequest,
  hasTime: () => boolean,
  { runReplay, runRecovery, logger, metrics }: RunDeps,
): Promise<void> => {
  const { account, id: integration, recovery } = request;
  if (recovery === undefined) {
    const { kind, replayed } = await runReplay(request, hasTime);
    logger.info('replay.ended', { account, integration, result: kind, replayed });
    metrics.count('EventsReplayed', replayed);
    return;
  }
  const { kind, ...counts } = await runRecovery({ ...request, recovery }, hasTime);
  const since = recovery.since.toISOString();
  logger.info('recovery.ended', { account, integration, since, result: kind, ...counts });
  metrics.count('EventsReplayed', counts.replayed + counts.resent);
};
