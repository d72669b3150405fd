import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { DeadLetters } from '../../../core/delivery/delivery-queue.ts';
import { UnreadableMessage } from '../../../core/delivery/message-format.ts';
import { parseReplayMessage } from '../../../core/delivery/pending/replay-requests.ts';
import {
  createProcessBatch,
  type Disposal,
  type QueueDeps,
  rejectingUnreadable,
} from '../runtime/sqs-batch.ts';
import { type RunDeps, reportOldest, runRequest } from './run-request.ts';

interface Deps extends QueueDeps, RunDeps {
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
      const request = parseReplayMessage(body);
      await reportOldest(request.id, deps);
      await runRequest(request, hasTime, deps);
      return 'done';
    };
    const process = rejectingUnreadable(replay, {
      ...deps,
      Unreadable: UnreadableMessage,
      logEvent: 'replay.unreadable',
    });
    return processBatch(batch, process);
  };
};
