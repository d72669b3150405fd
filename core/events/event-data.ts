import * as z from 'zod';
import type { EventType } from './event-type.ts';

const phoneNumber = (description: string) =>
  z
    .string()
    .regex(/^\+[1-9][0-9]{1,14}$/)
    .meta({ description: `${description}, in E.164 form.` });

/** Carriers also know short codes and senders that are words. */
const address = (description: string) =>
  z
    .string()
    .min(1)
    .meta({ description: `${description}: a number in E.164 form, a short code or a name.` });

const contact = z.looseObject({
  id: z.string().min(1).meta({ description: 'Identifies the contact on the platform.' }),
  name: z.string().optional().meta({ description: 'Its name; absent where none is known.' }),
  phone: phoneNumber('Its number'),
});

const contactIfKnown = contact.optional().meta({
  description: 'The contact on the other side; absent where the platform knows none.',
});

const message = <Direction extends 'in' | 'out'>(direction: Direction) =>
  z
    .looseObject({
      id: z.string().min(1).meta({ description: 'Identifies the message on the platform.' }),
      body: z.string().meta({ description: 'Its text.' }),
      direction: z.literal(direction).meta({
        description:
          direction === 'in' ? '`in`: it came from a contact.' : '`out`: it went to a contact.',
      }),
      from: address('Where it was sent from'),
      to: address('Where it was sent to'),
    })
    .meta({ description: 'The message.' });

const error = z.looseObject({
  code: z.string().min(1).meta({ description: 'What went wrong, as a word for programs.' }),
  detail: z.string().meta({ description: 'What went wrong, in words for people.' }),
});

const phoneCall = z
  .looseObject({
    id: z.string().min(1).meta({ description: 'Identifies the call on the platform.' }),
    direction: z
      .enum(['in', 'out'])
      .meta({ description: '`in` when the contact called, `out` when the contact was called.' }),
    from: phoneNumber('The number that called'),
    to: phoneNumber('The number that was called'),
    durationSeconds: z
      .int()
      .min(0)
      .meta({ description: 'How long it lasted, in whole seconds; 0 when nobody answered.' }),
  })
  .meta({ description: 'The call.' });

const keyword = z.string().optional().meta({
  description: 'The word that the contact sent; absent where it was not done by a message.',
});

/**
 * The data of each event type as the platform documents it today; there may be more members.
 * They tell integrators what to expect and nothing is refused by them: an event is passed on
 * with whatever data it has.
 */
export const EVENT_DATA_SCHEMAS = {
  'message.received': z.looseObject({ message: message('in'), contact: contactIfKnown }),
  'message.delivered': z.looseObject({ message: message('out'), contact: contactIfKnown }),
  'message.failed': z.looseObject({
    message: message('out'),
    contact: contactIfKnown,
    error: error.meta({ description: 'Why it failed.' }),
  }),
  'message.unknown': z.looseObject({
    message: message('out'),
    contact: contactIfKnown,
    error: error.optional().meta({ description: 'What is known of why; absent where nothing is.' }),
  }),
  'phone_call.completed': z.looseObject({ phoneCall, contact: contactIfKnown }),
  'contact.opted_out': z.looseObject({
    contact: contact.meta({ description: 'Who opted out.' }),
    keyword,
  }),
  'contact.opted_in': z.looseObject({
    contact: contact.meta({ description: 'Who opted in.' }),
    keyword,
  }),
  'contact.created': z.looseObject({
    contact: contact.meta({ description: 'The new contact.' }),
  }),
} satisfies Record<EventType, z.ZodObject>;

export type EventData = { [Type in EventType]: z.output<(typeof EVENT_DATA_SCHEMAS)[Type]> };
