/**
 * In the order of the webhook contract; apart from the catalogue, whose schemas few functions need.
 */
export const EVENT_TYPES = [
  'message.received',
  'message.delivered',
  'message.failed',
  'message.unknown',
  'phone_call.completed',
  'contact.opted_out',
  'contact.opted_in',
  'contact.created',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

const NUMBERS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** The number of event types: as a word up to twelve, else in digits. */
export const EVENT_TYPE_COUNT = NUMBERS[EVENT_TYPES.length] ?? `${EVENT_TYPES.length}`;

export const NOT_AN_EVENT_TYPE = `must be one of the ${EVENT_TYPE_COUNT} event types`;
