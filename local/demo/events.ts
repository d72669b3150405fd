import { randomUUID } from 'node:crypto';
import type { PlatformEvent } from '../../core/events/event.ts';
import { EVENT_TYPES, type EventType } from '../../core/events/event-type.ts';

const contact = { id: 'con_7Q2M', name: 'Grace Hopper', phone: '+13035550100' };
const ours = '+13035550199';

const outgoing = (id: string, body: string) => ({
  id,
  body,
  direction: 'out',
  from: ours,
  to: contact.phone,
});

/** What the platform might say of each type. */
const DATA: Readonly<Record<EventType, Readonly<Record<string, unknown>>>> = {
  'message.received': {
    message: {
      id: 'msg_9001',
      body: 'Hello, has my order come in?',
      direction: 'in',
      from: contact.phone,
      to: ours,
    },
    contact,
  },
  'message.delivered': {
    message: outgoing('msg_9002', 'It has: come by any time before six — see you then.'),
    contact,
  },
  'message.failed': {
    message: outgoing('msg_9003', 'Your parcel is on its way.'),
    contact,
    error: { code: 'unreachable', detail: 'The handset did not answer.' },
  },
  'message.unknown': {
    message: outgoing('msg_9004', 'Your invoice is attached.'),
    contact,
    error: { code: 'unknown', detail: 'The carrier gave no reason.' },
  },
  'phone_call.completed': {
    phoneCall: {
      id: 'call_310',
      direction: 'in',
      from: contact.phone,
      to: ours,
      durationSeconds: 74,
    },
    contact,
  },
  'contact.opted_out': { contact, keyword: 'STOP' },
  'contact.opted_in': { contact, keyword: 'START' },
  'contact.created': { contact: { ...contact, id: 'con_7Q2N', name: 'Alan Turing' } },
};

/** One event of each type, as if it had just happened. */
export const demoEvents = (account: string, now: Date): PlatformEvent[] =>
  EVENT_TYPES.map((type) => ({
    id: `evt_${randomUUID().replaceAll('-', '')}`,
    type,
    account,
    occurredAt: now.toISOString(),
    data: DATA[type],
  }));
