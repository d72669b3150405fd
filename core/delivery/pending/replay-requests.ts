import * as z from 'zod';
import type { IntegrationEpoch, IntegrationKey } from '../../integration/integration.ts';
import type { Delivery } from '../delivery.ts';
import type { Cursor } from '../delivery-log.ts';
import { headSchema } from '../delivery-queue.ts';
import { messageText, parseMessageText } from '../message-format.ts';

/** A recovery of the undelivered deliveries of events that occurred from `since` to `until`. */
export interface Recovery {
  readonly since: Date;
  /** Inclusive. Later events are delivered anyway. */
  readonly until: Date;
  /** The position in the delivery log where an earlier run stopped. */
  readonly after?: Cursor | undefined;
}

/** The pending events that an earlier run of a replay has left, between two positions. */
export interface Rest {
  /** Absent if the run replayed no event. */
  readonly after?: string | undefined;
  /** Inclusive. Events that became pending later belong to another replay. */
  readonly last: string;
}

/** A delivery whose outcome shows how a step goes, with its attempts before. */
export type Sampled = Pick<Delivery, 'event' | 'priorAttempts'>;

/** The pace that a replay has found. */
export interface Pace {
  /** Of the latest step: how many deliveries are sent without waiting for their outcomes. */
  readonly size: number;
  /** How many of them are still to be sent. */
  readonly left: number;
  /** The outcomes of the samples while the endpoint bore the pace, and twenty before the first. */
  readonly usual: { readonly answers: number; readonly refused: number };
  /** When the endpoint last needed a slower pace, or the slowed pace grew. RFC 3339. */
  readonly slowedAt?: string | undefined;
  /** After each step, since it was slowed. */
  readonly restMs?: number | undefined;
  /** Those of the latest step that had no outcome yet. */
  readonly sampled: readonly Sampled[];
}

export interface ReplayOptions {
  /** A walk of the delivery log follows the replay. */
  readonly recovery?: Recovery | undefined;
  /** Leaves out events that are not due yet, because they were attempted recently. */
  readonly onlyDue?: boolean | undefined;
  readonly rest?: Rest | undefined;
  /** Of an earlier run. */
  readonly pace?: Pace | undefined;
  /** The request stays in its queue until then. */
  readonly notBefore?: Date | undefined;
}

export interface ReplayRequests {
  /** An integration's requests are processed one by one, in order. Durable when it resolves. */
  request(integration: IntegrationKey, options?: ReplayOptions): Promise<void>;
}

export interface ReplayNotes {
  /** Notes that a replay is under way, at the latest until then; undefined: that it is over. */
  noteReplaying(epoch: IntegrationEpoch, until: Date | undefined): Promise<void>;
  /** Notes a success of an attempt that began then, unless a later one or a streak is known. */
  noteConfirmed(epoch: IntegrationEpoch, confirmedAt: Date): Promise<void>;
}

export interface ReplayRequest extends ReplayOptions {
  readonly account: string;
  /** The integration's bare id. */
  readonly id: string;
}

export const replayMessage = (request: ReplayRequest): string => {
  const { account, id, recovery, onlyDue, rest, pace, notBefore } = request;
  return messageText({ account, id, recovery, onlyDue, rest, pace, notBefore });
};

const instant = z.iso.datetime().transform((text) => new Date(text));

const text = z.string().min(1);

const requestSchema = z.object({
  account: text,
  id: text,
  recovery: z.object({ since: instant, until: instant, after: text.optional() }).optional(),
  onlyDue: z.boolean().optional(),
  rest: z.object({ after: text.optional(), last: text }).optional(),
  pace: z
    .object({
      size: z.int().min(1),
      left: z.int().min(0),
      usual: z.object({ answers: z.int().min(0), refused: z.int().min(0) }),
      slowedAt: z.iso.datetime().optional(),
      restMs: z.int().min(1).optional(),
      sampled: z.array(headSchema.pick({ event: true, priorAttempts: true })),
    })
    .optional(),
  notBefore: instant.optional(),
});

/** Throws `UnreadableMessage` and `LaterFormat`. */
export const parseReplayMessage = (body: string): ReplayRequest =>
  parseMessageText(body, requestSchema);
