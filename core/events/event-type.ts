/** The eight event types an integration can subscribe to; the contract's names. */
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
