import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { PendingEvents } from '../../core/delivery/pending/pending-events.ts';
import {
  parseReplayMessage,
  type ReplayRequest,
} from '../../core/delivery/pending/replay-requests.ts';
import type { RunReplay } from '../../core/delivery/pending/run-replay.ts';
import type { RunRecovery } from '../../core/delivery/recovery/run-recovery.ts';
import type { Reporting } from '../_runtime/reporting.ts';
import { processBatch } from '../_runtime/sqs-batch.ts';

interface Deps extends Reporting {
  runReplay: RunReplay;
  runRecovery: RunRecovery;
  pendingEvents: Pick<PendingEvents, 'oldest'>;
  now: () => Date;
}

/**
 * A run stops when the function has less time left than this: enough for a page of a hundred events
 * when table or queue throttle, and for asking for the next run. Usually a page takes less than a
 * second. If the function times out all the same, the request comes back.
 */
const MARGIN_MS = 15_000;

export const createHandler =
  (deps: Deps) =>
  async (batch: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const hasTime = () => context.getRemainingTimeInMillis() > MARGIN_MS;
    const response = await processBatch(batch, deps.logger, async ({ body }) => {
      const request = parseReplayMessage(body);
      await reportOldest(request.id, deps);
      await run(request, hasTime, deps);
      return 'done';
    });
    deps.metrics.flush();
    return response;
  };

const reportOldest = async (
  integration: string,
  { pendingEvents, metrics, now }: Deps,
): Promise<void> => {
  const [oldest] = await pendingEvents.oldest(integration, 1);
  if (oldest === undefined) return;
  const occurredAt = Date.parse(oldest.delivery.event.occurredAt);
  metrics.oldestPendingEvent({ seconds: (now().getTime() - occurredAt) / 1_000 });
};

const run = async (
  { account, id, recovery }: ReplayRequest,
  hasTime: () => boolean,
  { runReplay, runRecovery, logger, metrics }: Deps,
): Promise<void> => {
  const integration = id;
  if (recovery === undefined) {
    const { kind, replayed } = await runReplay({ account, id }, hasTime);
    logger.info('replay.ended', { account, integration, result: kind, replayed });
    metrics.count('EventsReplayed', replayed);
    return;
  }
  const { kind, ...counts } = await runRecovery({ account, id }, recovery, { hasTime });
  const since = recovery.since.toISOString();
  logger.info('recovery.ended', { account, integration, since, result: kind, ...counts });
  metrics.count('EventsReplayed', counts.replayed + counts.resent);
};
