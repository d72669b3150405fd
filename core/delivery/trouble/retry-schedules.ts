import * as z from 'zod';
import type { IntegrationEpoch } from '../../integration/integration.ts';

/**
 * The hourly schedules. Each belongs to one epoch of an integration, so that the schedule of an
 * epoch that is over cannot be taken for the schedule of a later epoch.
 */
export interface RetrySchedules {
  /** The schedule exists when it resolves: it fires one retry interval after its creation, then every interval. */
  ensure(schedule: IntegrationEpoch): Promise<void>;
  /** The schedule does not exist when it resolves. */
  remove(schedule: IntegrationEpoch): Promise<void>;
}

/** What a schedule gives the function it invokes. */
export const scheduleInput = ({ account, id, epoch }: IntegrationEpoch): string =>
  JSON.stringify({ account, id, epoch });

const inputSchema = z.object({
  account: z.string().min(1),
  id: z.string().min(1),
  epoch: z.int().min(0),
});

/** Throws for an input that `scheduleInput` cannot have written. */
export const parseScheduleInput = (input: unknown): IntegrationEpoch => inputSchema.parse(input);
