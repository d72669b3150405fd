import * as z from 'zod';
import type { Cursor } from '../delivery-log.ts';

/** Which deliveries of the log a recovery sends again: those of events within it that were not delivered. */
export interface Recovery {
  readonly since: Date;
  /** Inclusive. Later events are on their way anyway. */
  readonly until: Date;
  /** Where in the delivery log an earlier run stopped. */
  readonly after?: Cursor | undefined;
}

export interface ReplayRequests {
  /**
   * Has an integration's pending events replayed, and with a recovery its delivery log walked after
   * them. Runs for one integration come one at a time, in the order of their requests. Durable when
   * it resolves.
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

export const replayMessage = ({ account, id, recovery }: ReplayRequest): string =>
  JSON.stringify({ account, id, recovery });

const instant = z.iso.datetime().transform((text) => new Date(text));

const requestSchema = z.object({
  account: z.string().min(1),
  id: z.string().min(1),
  recovery: z
    .object({ since: instant, until: instant, after: z.string().min(1).optional() })
    .optional(),
});

/** Throws for a text that `replayMessage` cannot have written. */
export const parseReplayMessage = (text: string): ReplayRequest =>
  requestSchema.parse(JSON.parse(text));
