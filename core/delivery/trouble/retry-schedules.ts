import * as z from 'zod';
import type { IntegrationEpoch } from '../../integration/integration.ts';
import { messageText, parseMessageText } from '../message-format.ts';

/**
 * The hourly schedules. Each belongs to one epoch of an integration, so that the schedule of an
 * earlier epoch cannot be taken for that of a later one.
 */
export interface RetrySchedules {
  /**
   * The schedule exists when the call resolves. It fires one retry interval after its creation,
   * then once every interval, up to some minutes late. An existing schedule keeps its times.
   */
  ensure(schedule: IntegrationEpoch): Promise<void>;
  /** The schedule does not exist when the call resolves. */
  remove(schedule: IntegrationEpoch): Promise<void>;
}

/** The message that a schedule puts on the retry queue each time it fires: JSON. */
export const scheduleInput = ({ account, id, epoch }: IntegrationEpoch): string =>
  messageText({ account, id, epoch });

const inputSchema = z.object({
  account: z.string().min(1),
  id: z.string().min(1),
  epoch: z.int().min(0),
});

/** Throws `UnreadableMessage` and `LaterFormat`. */
export const parseScheduleInput = (text: string): IntegrationEpoch =>
  parseMessageText(text, inputSchema);
