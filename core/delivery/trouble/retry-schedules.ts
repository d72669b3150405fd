import * as z from 'zod';
import type { IntegrationEpoch } from '../../integration/integration.ts';

/**
 * The hourly schedules. Each schedule belongs to one epoch of an integration, so that the schedule
 * of an earlier epoch cannot be taken for the schedule of a later epoch.
 */
export interface RetrySchedules {
  /**
   * The schedule exists when the call resolves. It fires one retry interval after its creation,
   * then once every interval. A schedule that exists stays as it is.
   */
  ensure(schedule: IntegrationEpoch): Promise<void>;
  /** The schedule does not exist when the call resolves. */
  remove(schedule: IntegrationEpoch): Promise<void>;
}

/** The input that a schedule gives the function it invokes: JSON. */
export const scheduleInput = ({ account, id, epoch }: IntegrationEpoch): string =>
  JSON.stringify({ account, id, epoch });

const inputSchema = z.object({
  account: z.string().min(1),
  id: z.string().min(1),
  epoch: z.int().min(0),
});

/** Throws for an input that `scheduleInput` cannot have written. */
export const parseScheduleInput = (input: unknown): IntegrationEpoch => inputSchema.parse(input);
