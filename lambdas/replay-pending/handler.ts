import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { PendingEvents } from '../../core/delivery/pending-events.ts';
import type { Reporting } from '../_runtime/report-attempt.ts';
import { processBatch } from '../_runtime/sqs-batch.ts';
import { parseReplayMessage } from './replay-message.ts';
import { createReplay, type Replaying } from './replay-or-recover.ts';

interface Deps extends Reporting, Replaying {
  pendingEvents: PendingEvents;
  now: () => Date;
}

/**
 * A page of a hundred events is moved in less than a second; this is for one that meets a throttled
 * table or queue, and for asking for the next run. A run that is cut short all the same comes back.
 */
const MARGIN_MS = 15_000;

export const createHandler = (deps: Deps) => {
  const replay = createReplay(deps, deps);
  return async (batch: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const hasTime = () => context.getRemainingTimeInMillis() > MARGIN_MS;
    const response = await processBatch(batch, deps.logger, async ({ body }) => {
      const message = parseReplayMessage(body);
      await reportOldest(message.id, deps);
      await replay(message, hasTime);
      return 'done';
    });
    deps.metrics.flush();
    return response;
  };
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
