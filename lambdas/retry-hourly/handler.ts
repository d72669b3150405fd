import type { RetryHourly } from '../../core/delivery/attempt/retry-hourly.ts';
import { parseScheduleInput } from '../../core/delivery/trouble/retry-schedules.ts';
import {
  faultField,
  type Reporting,
  reportAttempt,
  reportSetAside,
  reportTroubleEnd,
} from '../_runtime/reporting.ts';

interface Deps extends Reporting {
  retryHourly: RetryHourly;
}

/**
 * Invoked by an integration's schedule, asynchronously. When the handler throws, Lambda invokes it
 * twice more, and then reports the failure to the queue of failed retries.
 */
export const createHandler =
  (deps: Deps) =>
  async (input: unknown): Promise<void> => {
    try {
      await retry(input, deps);
    } catch (fault) {
      deps.logger.error('retry.failed', faultField(fault));
      throw fault;
    } finally {
      deps.metrics.flush();
    }
  };

const retry = async (input: unknown, deps: Deps): Promise<void> => {
  const schedule = parseScheduleInput(input);
  const { account, id: integration, epoch } = schedule;
  const result = await deps.retryHourly(schedule);
  if (result.kind === 'retried') {
    const { attempt } = result.made;
    reportAttempt(result.made, deps);
    if (result.wasSetAside) reportSetAside(result.made, deps);
    deps.metrics.oldestPendingEvent({
      seconds: (attempt.startedAt.getTime() - Date.parse(attempt.event.occurredAt)) / 1_000,
    });
  } else {
    deps.logger.info('retry.skipped', { account, integration, epoch, because: result.kind });
  }
  if ('endedTrouble' in result && result.endedTrouble) {
    reportTroubleEnd({ account, integration }, deps);
  }
};
