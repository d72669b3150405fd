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

/** What an earlier run of a replay has left: the pending events between two places. */
export interface Rest {
  /** Absent of a run that came to no event. */
  readonly after?: string | undefined;
  /** Inclusive. What became pending later is of no concern to this replay. */
  readonly last: string;
}

/** How a replay is asked for; absent members are the usual. */
export interface ReplayOptions {
  /** A walk of the delivery log follows the replay. */
  readonly recovery?: Recovery | undefined;
  /** Leaves out what is not due yet, and so was attempted a short time ago. */
  readonly onlyDue?: boolean | undefined;
  readonly rest?: Rest | undefined;
}

export interface ReplayRequests {
  /**
   * Asks for a replay of an integration's pending events. The requests for one integration are
   * served one at a time, in their order. Durable when it resolves.
   */
  request(integration: { account: string; id: string }, options?: ReplayOptions): Promise<void>;
}

/** A message of the replay queue. */
export interface ReplayRequest extends ReplayOptions {
  readonly account: string;
  /** The integration's bare id. */
  readonly id: string;
}

/** The text of a message of the replay queue. */
export const replayMessage = (request: ReplayRequest): string => {
  const { account, id, recovery, onlyDue, rest } = request;
  return messageText({ account, id, recovery, onlyDue, rest });
};

const instant = z.iso.datetime().transform((text) => new Date(text));

const text = z.string().min(1);

const requestSchema = z.object({
  account: text,
  id: text,
  recovery: z.object({ since: instant, until: instant, after: text.optional() }).optional(),
  onlyDue: z.boolean().optional(),
  rest: z.object({ after: text.optional(), last: text }).optional(),
});

/** Throws `UnreadableMessage` and `LaterFormat`. */
export const parseReplayMessage = (body: string): ReplayRequest =>
  parseMessageText(body, requestSchema);
