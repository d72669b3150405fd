import * as z from 'zod';
import type { RetryIntegration } from '../../core/delivery/retry-integration.ts';
import { faultField } from '../_runtime/logger.ts';
import { type Reporting, reportAttempt, reportRecovery } from '../_runtime/report-attempt.ts';

interface Deps extends Reporting {
  retryIntegration: RetryIntegration;
}

/** As the schedule was given it when it was created. */
const scheduleSchema = z.object({
  account: z.string().min(1),
  id: z.string().min(1),
  incident: z.int().min(0),
});

/**
 * Invoked by an integration's schedule, asynchronously: when it throws, Lambda invokes it again,
 * twice, and then tells the queue of failed retries.
 */
export const createHandler =
  (deps: Deps) =>
  async (input: unknown): Promise<void> => {
    try {
      await retry(scheduleSchema.parse(input), deps);
    } catch (fault) {
      deps.logger.error('retry.failed', faultField(fault));
      throw fault;
    } finally {
      deps.metrics.flush();
    }
  };

const retry = async (schedule: z.output<typeof scheduleSchema>, deps: Deps): Promise<void> => {
  const { account, id: integration, incident } = schedule;
  const result = await deps.retryIntegration(schedule);
  if (result.kind !== 'retried') {
    deps.logger.info('retry.skipped', { account, integration, incident, because: result.kind });
    // That, too, ends the trouble.
    if ('recovered' in result && result.recovered) reportRecovery({ account, integration }, deps);
    return;
  }
  const { attempt } = result.made;
  reportAttempt(result.made, deps);
  deps.metrics.oldestPendingEvent({
    seconds: (attempt.startedAt.getTime() - Date.parse(attempt.event.occurredAt)) / 1_000,
  });
  if (result.recovered) reportRecovery(attempt, deps);
};
