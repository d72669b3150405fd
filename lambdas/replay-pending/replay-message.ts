import * as z from 'zod';
import type { Recovery } from '../../core/delivery/replay-requests.ts';

export interface ReplayMessage {
  readonly account: string;
  /** The integration's bare id. */
  readonly id: string;
  /** Absent when only what is pending is to be replayed. */
  readonly recovery?: Recovery | undefined;
}

const instant = z.iso.datetime().transform((text) => new Date(text));

const messageSchema = z.object({
  account: z.string().min(1),
  id: z.string().min(1),
  recovery: z
    .object({ since: instant, until: instant, after: z.string().min(1).optional() })
    .optional(),
});

/** A message of the replay queue, as `SqsReplayRequests` writes it. Throws for any other. */
export const parseReplayMessage = (body: string): ReplayMessage =>
  messageSchema.parse(JSON.parse(body));
