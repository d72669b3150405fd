import type { EventData } from './event-data.ts';

const contact = { id: 'con_7Q2M', name: 'Grace Hopper', phone: '+13035550100' };
const ours = '+13035550199';

const outgoing = (id: string, body: string) => ({
  id,
  body,
  direction: 'out' as const,
  from: ours,
  to: contact.phone,
});

/** What the platform might say of each type. The numbers belong to nobody. */
export const EVENT_DATA_SAMPLES: Readonly<EventData> = {
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
  'contact.created': { contact: { id: 'con_7Q2N', name: 'Alan Turing', phone: '+13035550101' } },
};
