import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { DeadLetters } from '../../core/delivery/delivery-queue.ts';
import type { PendingEvents } from '../../core/delivery/pending/pending-events.ts';
import {
  parseReplayMessage,
  type ReplayRequest,
} from '../../core/delivery/pending/replay-requests.ts';
import type { RunReplay } from '../../core/delivery/pending/run-replay.ts';
import type { RunRecovery } from '../../core/delivery/recovery/run-recovery.ts';
import { createProcessBatch, type Disposal, type QueueDeps } from '../_runtime/sqs-batch.ts';
import { rejectingUnreadable } from '../_runtime/unreadable-messages.ts';

interface Deps extends QueueDeps {
  runReplay: RunReplay;
  runRecovery: RunRecovery;
  pendingEvents: Pick<PendingEvents, 'oldest'>;
  deadLetters: DeadLetters;
}

/**
 * A run stops when the function has less time left than this: enough for a page of a hundred events
 * when table or queue throttle, and for asking for the next run. Usually a page takes less than a
 * second. If the function times out all the same, the request comes back.
 */
const MARGIN_MS = 15_000;

export const createHandler = (deps: Deps) => {
  const processBatch = createProcessBatch(deps);
  return (batch: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const hasTime = () => context.getRemainingTimeInMillis() > MARGIN_MS;
    const replay = async ({ body }: SQSRecord): Promise<Disposal> => {
      const request = requestIn(body);
      await reportOldest(request.id, deps);
      await run(request, hasTime, deps);
      return 'done';
    };
    const process = rejectingUnreadable(replay, {
      ...deps,
      Unreadable: UnreadableRequest,
      logEvent: 'replay.unreadable',
    });
    return processBatch(batch, process);
  };
};

/** A message of the replay queue that none of our functions wrote. */
class UnreadableRequest extends Error {}

const requestIn = (body: string): ReplayRequest => {
  try {
    return parseReplayMessage(body);
  } catch {
    throw new UnreadableRequest('the message is not a replay request');
  }
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
