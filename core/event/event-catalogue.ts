import * as z from 'zod';
import type { EventType } from './event-types.ts';
import type { DataSchema } from './filter-names.ts';

export interface CatalogueEntry<Data extends z.ZodObject> {
  /** When an event of the type is sent, as the webhook contract says it. */
  readonly description: string;
  /** An event's `data` as the platform documents it today; there may be more members. */
  readonly data: Data;
  /** An example of `data`, with phone numbers that are not in use. */
  readonly sample: z.output<Data>;
  /**
   * What changed in each version after the first, oldest first. A change that can break a receiver
   * makes a version: a member is removed or no longer required, its type changes, or it gets values
   * that it could not have. A new member makes none.
   */
  readonly changes?: readonly string[];
}

const entry = <Data extends z.ZodObject>(given: CatalogueEntry<Data>) => given;

const phoneNumber = (description: string) =>
  z
    .string()
    .regex(/^\+[1-9][0-9]{1,14}$/)
    .meta({ description: `${description}, in E.164 form.` });

/** A sender or receiver: carriers also know short codes and names. */
const address = (description: string) =>
  z
    .string()
    .min(1)
    .meta({ description: `${description}: a number in E.164 form, a short code or a name.` });

const contact = z.looseObject({
  id: z.string().min(1).meta({ description: 'Identifies the contact on the platform.' }),
  name: z.string().optional().meta({ description: 'Its name; absent if unknown.' }),
  phone: phoneNumber('Its number'),
});

const contactIfKnown = contact.optional().meta({
  description: 'The contact on the other side; absent if unknown.',
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
      .meta({ description: 'The duration in whole seconds; 0 if the call was not answered.' }),
  })
  .meta({ description: 'The call.' });

const keyword = z.string().optional().meta({
  description: 'The word that the contact sent; absent without a message.',
});

const ourNumber = '+13035550199';
const sampleContact = { id: 'con_7Q2M', name: 'Grace Hopper', phone: '+13035550100' };

const sampleOutgoing = (id: string, body: string) => ({
  id,
  body,
  direction: 'out' as const,
  from: ourNumber,
  to: sampleContact.phone,
});

/** The schemas are documentation: no event is refused for its data, and all data is passed on. */
export const EVENT_CATALOGUE = {
  'message.received': entry({
    description: 'Sent when an incoming message is received.',
    data: z.looseObject({ message: message('in'), contact: contactIfKnown }),
    sample: {
      message: {
        id: 'msg_9001',
        body: 'Hello, has my order come in?',
        direction: 'in',
        from: sampleContact.phone,
        to: ourNumber,
      },
      contact: sampleContact,
    },
  }),
  'message.delivered': entry({
    description: 'Sent when an outgoing message is delivered.',
    data: z.looseObject({ message: message('out'), contact: contactIfKnown }),
    sample: {
      message: sampleOutgoing('msg_9002', 'It has: come by any time before six — see you then.'),
      contact: sampleContact,
    },
  }),
  'message.failed': entry({
    description: 'Sent when an outgoing message failed to deliver.',
    data: z.looseObject({
      message: message('out'),
      contact: contactIfKnown,
      error: error.meta({ description: 'Why it failed.' }),
    }),
    sample: {
      message: sampleOutgoing('msg_9003', 'Your parcel is on its way.'),
      contact: sampleContact,
      error: { code: 'unreachable', detail: 'The handset did not answer.' },
    },
  }),
  'message.unknown': entry({
    description: 'Sent when an outgoing message could not be delivered due to an unknown error.',
    data: z.looseObject({
      message: message('out'),
      contact: contactIfKnown,
      error: error.optional().meta({ description: 'The known reason; absent if there is none.' }),
    }),
    sample: {
      message: sampleOutgoing('msg_9004', 'Your invoice is attached.'),
      contact: sampleContact,
      error: { code: 'unknown', detail: 'The carrier gave no reason.' },
    },
  }),
  'phone_call.completed': entry({
    description: 'Sent when a phone call is completed.',
    data: z.looseObject({ phoneCall, contact: contactIfKnown }),
    sample: {
      phoneCall: {
        id: 'call_310',
        direction: 'in',
        from: sampleContact.phone,
        to: ourNumber,
        durationSeconds: 74,
      },
      contact: sampleContact,
    },
  }),
  'contact.opted_out': entry({
    description: 'Sent when a contact opted out of receiving text messages.',
    data: z.looseObject({ contact: contact.meta({ description: 'Who opted out.' }), keyword }),
    sample: { contact: sampleContact, keyword: 'STOP' },
  }),
  'contact.opted_in': entry({
    description: 'Sent when a contact opted in to receiving text messages.',
    data: z.looseObject({ contact: contact.meta({ description: 'Who opted in.' }), keyword }),
    sample: { contact: sampleContact, keyword: 'START' },
  }),
  'contact.created': entry({
    description: 'Sent when a contact is created.',
    data: z.looseObject({ contact: contact.meta({ description: 'The new contact.' }) }),
    sample: { contact: { id: 'con_7Q2N', name: 'Alan Turing', phone: '+13035550101' } },
  }),
} satisfies Record<EventType, unknown>;

/** JSON Schema (2020-12) of the data of an event type. */
export const dataSchemaOf = (type: EventType): DataSchema => ({
  // The spread leaves out the validator that zod attaches to the schema.
  ...(z.toJSONSchema(EVENT_CATALOGUE[type].data) as DataSchema),
});
