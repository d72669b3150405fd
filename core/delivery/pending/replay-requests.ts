import * as z from 'zod';
import type { Cursor } from '../delivery-log.ts';
import { messageText, parseMessageText } from '../message-format.ts';

/** A recovery of the undelivered deliveries of events that occurred from `since` to `until`. */
export interface Recovery {
  readonly since: Date;
  /** Inclusive. Later events are delivered anyway. */
  readonly until: Date;
  /** Where in the delivery log an earlier run stopped. */
  readonly after?: Cursor | undefined;
}

export interface ReplayRequests {
  /**
   * Asks for a replay of an integration's pending events. With a recovery, a walk of its delivery
   * log follows the replay. The requests for one integration are served one at a time, in their
   * order. Durable when it resolves.
   */
  request(integration: { account: string; id: string }, recovery?: Recovery): Promise<void>;
}

/** A message of the replay queue. */
export interface ReplayRequest {
  readonly account: string;
  /** The integration's bare id. */
  readonly id: string;
  /** Absent when only pending events are to be replayed. */
  readonly recovery?: Recovery | undefined;
}

/** The text of a message of the replay queue. */
export const replayMessage = ({ account, id, recovery }: ReplayRequest): string =>
  messageText({ account, id, recovery });

const instant = z.iso.datetime().transform((text) => new Date(text));

const requestSchema = z.object({
  account: z.string().min(1),
  id: z.string().min(1),
  recovery: z
    .object({ since: instant, until: instant, after: z.string().min(1).optional() })
    .optional(),
});

/** Throws `UnreadableMessage` and `LaterFormat`. */
export const parseReplayMessage = (text: string): ReplayRequest =>
  parseMessageText(text, requestSchema);
