import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import type { PendingEvents } from '../../core/delivery/pending-events.ts';
import type { ReplayPending } from '../../core/delivery/replay-pending.ts';
import type { Reporting } from '../_runtime/report-attempt.ts';
import { processBatch } from '../_runtime/sqs-batch.ts';

interface Deps extends Reporting {
  replayPending: ReplayPending;
  pendingEvents: PendingEvents;
  now: () => Date;
}

/**
 * A page of a hundred events is moved in less than a second; this is for one that meets a throttled
 * table or queue, and for asking for the next run. A run that is cut short all the same comes back.
 */
const MARGIN_MS = 15_000;

const requestSchema = z.object({ account: z.string().min(1), id: z.string().min(1) });

export const createHandler =
  (deps: Deps) =>
  async (batch: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const hasTime = () => context.getRemainingTimeInMillis() > MARGIN_MS;
    const response = await processBatch(batch, deps.logger, async ({ body }) => {
      const { account, id } = requestSchema.parse(JSON.parse(body));
      await reportOldest(id, deps);
      const result = await deps.replayPending({ account, id }, hasTime);
      deps.logger.info('replay.ended', {
        account,
        integration: id,
        result: result.kind,
        replayed: result.replayed,
      });
      deps.metrics.count('EventsReplayed', result.replayed);
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
