import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import {
  parseReplayMessage,
  type ReplayRequest,
} from '../../../core/delivery/pending/replay-requests.ts';
import type { RunReplay } from '../../../core/delivery/pending/run-replay.ts';
import type { RunRecovery } from '../../../core/delivery/recovery/run-recovery.ts';
import { createProcessBatch, type QueueDeps } from '../../runtime/sqs-batch.ts';

interface Deps extends QueueDeps {
  runReplay: RunReplay;
  runRecovery: RunRecovery;
}

/**
 * A run stops when the function has less time left: enough for a page of a hundred events while
 * table or queue throttle, and to request the next run. A page usually takes less than a second. If
 * the function times out all the same, SQS redelivers the request.
 */
const MARGIN_MS = 15_000;

export const createHandler = (deps: Deps) => {
  const processBatch = createProcessBatch(deps, 'replay.unreadable');
  return (batch: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const hasTime = () => context.getRemainingTimeInMillis() > MARGIN_MS;
    return processBatch(batch, async ({ body }) => {
      const request = parseReplayMessage(body);
      if (request.notBefore && request.notBefore > deps.now()) return request.notBefore;
      await runRequest(request, hasTime, deps);
      return 'done';
    });
  };
};

/** Makes the run that a request asks for, and logs and counts its result. */
const runRequest = async (
  request: ReplayRequest,
  hasTime: () => boolean,
  { runReplay, runRecovery, logger, metrics }: Deps,
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
