import * as z from 'zod';
import { EVENT_TYPES, type EventType, NOT_AN_EVENT_TYPE } from './event-types.ts';
import { isExactNumber, parseExactJson } from './exact-json.ts';
import { isNestedTooDeeply, MAX_NESTING } from './json-nesting.ts';

export const EVENT_ID = /^[A-Za-z0-9_-]{1,64}$/;

export interface PlatformEvent {
  readonly id: string;
  readonly type: EventType;
  /** Name of the primary account: the account that has the integrations. */
  readonly account: string;
  /** RFC 3339 instant in upper case and without a leap second, otherwise as the platform wrote it. */
  readonly occurredAt: string;
  /** Passed on with every value as it was written; of members of one name, the last. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** A message that can never be routed. The text says why and quotes nothing of the event. */
export class UnroutableEvent extends Error {
  override readonly name = 'UnroutableEvent';
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);

const NOT_AN_INSTANT = 'must be an RFC 3339 instant';

/** RFC 3339 has lower case and leap seconds, which few receivers read, and JavaScript does not. */
const instant = z
  .string(NOT_AN_INSTANT)
  .transform((text) => text.toUpperCase().replace(/:60(\.\d+)?(?=[Z+-])/, ':59.999'))
  .pipe(z.iso.datetime({ offset: true, error: NOT_AN_INSTANT }));

/** Further members of an event are the platform's own and are ignored. */
const eventSchema = z.object({
  id: z.string().regex(EVENT_ID, 'must be 1 to 64 characters of A-Z a-z 0-9 _ -'),
  type: z.enum(EVENT_TYPES, NOT_AN_EVENT_TYPE),
  account: z.string().min(1).max(128),
  occurredAt: instant,
  data: z.custom<Record<string, unknown>>(isObject, 'must be an object'),
});

/** What SNS and EventBridge put around an event, unless they are told not to. */
const ENVELOPES = [
  {
    members: ['Type', 'TopicArn', 'Message'],
    reason: 'the message is in an envelope of SNS: turn on raw message delivery',
  },
  {
    members: ['detail-type', 'detail'],
    reason:
      'the message is in an envelope of EventBridge: set the InputPath of the target to $.detail',
  },
];

/** Parses the text of one message of the events queue. Throws `UnroutableEvent`. */
export const parseEvent = (text: string): PlatformEvent => {
  const message = parseJson(text);
  const parsed = eventSchema.safeParse(message);
  if (parsed.success) return parsed.data;
  if (isObject(message)) {
    const envelope = ENVELOPES.find(({ members }) => members.every((name) => name in message));
    if (envelope) throw new UnroutableEvent(envelope.reason);
  }
  const faults = parsed.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  throw new UnroutableEvent(faults.join('; '));
};

const parseJson = (text: string): unknown => {
  if (isNestedTooDeeply(text))
    throw new UnroutableEvent(`nested more than ${MAX_NESTING} levels deep`);
  try {
    return parseExactJson(text);
  } catch {
    throw new UnroutableEvent('the message is not JSON');
  }
};
