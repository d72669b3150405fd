import * as z from 'zod';
import { newEventId } from '../../adapters/crypto/random-ids.ts';
import { type PlatformEvent, parseEvent, UnroutableEvent } from '../../core/event/event.ts';
import { EVENT_CATALOGUE } from '../../core/event/event-catalogue.ts';
import { EVENT_TYPES } from '../../core/event/event-types.ts';
import { parseExactJson, stringifyForQueue } from '../../core/event/exact-json.ts';

/** One event of each type, occurred at `now`, with the sample data of its type. */
export const demoEvents = (account: string, now: Date): PlatformEvent[] =>
  EVENT_TYPES.map((type) => ({
    id: newEventId(),
    type,
    account,
    occurredAt: now.toISOString(),
    data: EVENT_CATALOGUE[type].sample,
  }));

/** The playground refuses a request. The message is for a person. */
export class PlaygroundRefusal extends Error {
  override readonly name = 'PlaygroundRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const requestSchema = z.strictObject({
  type: z.enum(EVENT_TYPES, `must be one of ${EVENT_TYPES.join(', ')}`),
  id: z.unknown().optional(),
  account: z.unknown().optional(),
  data: z.unknown().optional(),
});

/** The `count` events that the body of a request asks for. Throws PlaygroundRefusal. */
export const eventsAskedFor = (
  text: string,
  { account, count, now }: { account: string; count: number; now: Date },
): PlatformEvent[] => {
  const { data, id, ...overrides } = parseRequest(text);
  if (id !== undefined && count > 1) {
    throw new PlaygroundRefusal(422, 'An id is of one event: leave out the id or the count.');
  }
  return Array.from({ length: count }, () =>
    usableEvent({
      id: id ?? newEventId(),
      type: overrides.type,
      account: overrides.account ?? account,
      occurredAt: now.toISOString(),
      data: data ?? EVENT_CATALOGUE[overrides.type].sample,
    }),
  );
};

const parseRequest = (text: string): z.output<typeof requestSchema> => {
  const parsed = requestSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => [...path, message].join(': '));
  throw new PlaygroundRefusal(422, `No event: ${faults.join('; ')}.`);
};

const parseJson = (text: string): unknown => {
  try {
    return parseExactJson(text);
  } catch {
    throw new PlaygroundRefusal(400, 'Not JSON. An event is {"type":"message.received"}.');
  }
};

/** Refuses an event that the service would refuse to route, and tells the sender why. */
const usableEvent = (event: Readonly<Record<string, unknown>>): PlatformEvent => {
  try {
    return parseEvent(stringifyForQueue(event));
  } catch (fault) {
    if (!(fault instanceof UnroutableEvent)) throw fault;
    throw new PlaygroundRefusal(422, `No event: ${fault.message}.`);
  }
};
