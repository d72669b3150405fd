import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import type { ZodType } from 'zod';
import { createDelivery } from '../../../core/delivery/route-event.ts';
import { parseEvent } from '../../../core/event/event.ts';
import { EVENT_CATALOGUE } from '../../../core/event/event-catalogue.ts';
import { eventTypeCollection, presentEventTypes } from '../../../core/event/event-type-resource.ts';
import { EVENT_TYPES, type EventType } from '../../../core/event/event-types.ts';
import {
  getEventSchema,
  listEventTypes,
} from '../../../lambdas/api/reference/event-type-documents.ts';
import { demoEvents } from '../../../local/demo/events.ts';
import { anApiEvent, call, documentOf } from '../../support/lambdas/api-gateway-events.ts';
import { RecordingLogger } from '../../support/lambdas/recording-logger.ts';

const PUBLISHED = new Map(presentEventTypes().member.map(({ name, schema }) => [name, schema]));

/** What the schema in the code and the one that integrators get say of the data. */
const judge = (type: EventType, data: unknown) => {
  // Strict: a keyword or format that JSON Schema does not have throws.
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  const schema: ZodType = EVENT_CATALOGUE[type].data;
  return {
    own: schema.safeParse(data).success,
    published: ajv.compile(PUBLISHED.get(type) ?? false)(data),
  };
};

const VALID = { own: true, published: true };
const INVALID = { own: false, published: false };

const [IN, OUT] = [
  EVENT_CATALOGUE['message.received'].sample,
  EVENT_CATALOGUE['message.delivered'].sample,
];
const { phoneCall } = EVENT_CATALOGUE['phone_call.completed'].sample;
const { contact } = EVENT_CATALOGUE['contact.created'].sample;

describe('the documented data of an event type', () => {
  it.each(EVENT_TYPES)('has a sample that is as documented: %s', (type) => {
    expect(judge(type, EVENT_CATALOGUE[type].sample)).toEqual(VALID);
  });

  it.each(EVENT_TYPES)('has a sample that any JSON parser reads back: %s', (type) => {
    const sample = EVENT_CATALOGUE[type].sample;
    expect(JSON.parse(JSON.stringify(sample))).toStrictEqual(sample);
  });

  it.each(EVENT_TYPES)('may have members beyond those documented, at any depth: %s', (type) => {
    const extended = Object.entries(EVENT_CATALOGUE[type].sample).map(([name, member]) => [
      name,
      typeof member === 'object' ? { ...member, added: [1] } : member,
    ]);
    const data = { ...Object.fromEntries(extended), added: { anything: null } };
    expect(judge(type, data)).toEqual(VALID);
    const schema: ZodType = EVENT_CATALOGUE[type].data;
    expect(schema.parse(data)).toEqual(data);
  });

  it.each<[EventType, string]>([
    ['message.received', 'contact'],
    ['message.delivered', 'contact'],
    ['message.failed', 'contact'],
    ['message.unknown', 'contact'],
    ['message.unknown', 'error'],
    ['phone_call.completed', 'contact'],
    ['contact.opted_out', 'keyword'],
    ['contact.opted_in', 'keyword'],
  ])('of %s may lack its %s', (type, member) => {
    const { [member]: lacking, ...rest } = EVENT_CATALOGUE[type].sample;
    expect(lacking).toBeDefined();
    expect(judge(type, rest)).toEqual(VALID);
  });

  it.each<[EventType, string]>([
    ['message.received', 'message'],
    ['message.delivered', 'message'],
    ['message.failed', 'message'],
    ['message.failed', 'error'],
    ['message.unknown', 'message'],
    ['phone_call.completed', 'phoneCall'],
    ['contact.opted_out', 'contact'],
    ['contact.opted_in', 'contact'],
    ['contact.created', 'contact'],
  ])('of %s has its %s', (type, member) => {
    const { [member]: lacking, ...rest } = EVENT_CATALOGUE[type].sample;
    expect(lacking).toBeDefined();
    expect(judge(type, rest)).toEqual(INVALID);
  });

  it.each<[string, EventType, unknown]>([
    ['no object', 'message.received', []],
    ['an incoming message that went out', 'message.received', OUT],
    ['an outgoing message that came in', 'message.delivered', IN],
    ['a message without text', 'message.received', { message: { ...IN.message, body: null } }],
    ['a message to nobody', 'message.received', { message: { ...IN.message, to: '' } }],
    [
      'a local phone number',
      'phone_call.completed',
      { phoneCall: { ...phoneCall, to: '555-0199' } },
    ],
    ['a phone number and more', 'contact.created', { contact: { ...contact, phone: '+49 30 1' } }],
    ['a contact without an id', 'contact.created', { contact: { phone: contact.phone } }],
    ['a contact’s name that is null', 'contact.created', { contact: { ...contact, name: null } }],
    [
      'a call of half a second',
      'phone_call.completed',
      { phoneCall: { ...phoneCall, durationSeconds: 0.5 } },
    ],
    [
      'a call that goes sideways',
      'phone_call.completed',
      { phoneCall: { ...phoneCall, direction: 'sideways' } },
    ],
    ['a keyword that is no text', 'contact.opted_out', { contact, keyword: true }],
  ])('is not %s', (_what, type, data) => {
    expect(judge(type, data)).toEqual(INVALID);
  });

  it('is what the demonstration sends, an event of each type', () => {
    const events = demoEvents('acme', new Date('2026-11-20T12:00:00.000Z'));
    expect(events.map(({ type }) => type)).toEqual([...EVENT_TYPES]);
    for (const event of events) {
      expect(parseEvent(JSON.stringify(event))).toEqual(event);
      expect(judge(event.type, event.data)).toEqual(VALID);
    }
  });

  it('is what the documentation for the platform shows', async () => {
    const page = await readFile(
      new URL('../../../docs/operators/events.md', import.meta.url),
      'utf8',
    );
    const example = /```json\n(.*?)```/s.exec(page)?.[1] ?? '';
    const { type, data } = parseEvent(example);
    expect(judge(type, data)).toEqual(VALID);
  });

  it('is delivered as it is where it differs', () => {
    const data = { message: 'not as documented', contact: null };
    const event = parseEvent(
      JSON.stringify({
        id: 'evt_1',
        type: 'message.received',
        account: 'acme',
        occurredAt: '2026-11-20T12:00:00.000Z',
        data,
      }),
    );
    expect(judge(event.type, data)).toEqual(INVALID);
    expect(JSON.parse(createDelivery(event, '0123456789Ab').body).data).toEqual(data);
  });
});

const logger = new RecordingLogger();

const get = (basePath = '') =>
  call(
    listEventTypes.createHandler({ logger }),
    anApiEvent({ path: '/event-types', resource: '/event-types', basePath, authorizer: null }),
  );

/** As whoever reads the answer gets them. */
const listed = async () => eventTypeCollection.parse(documentOf(await get())).member;

describe('GET /event-types', () => {
  it('shows anyone each event type on one page, in the contract’s order', async () => {
    const result = await get();
    expect(result).toMatchObject({
      statusCode: 200,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=3600' },
    });
    expect(documentOf(result)).toMatchObject({
      '@context': '/contexts/Collection.jsonld',
      '@type': 'Collection',
      id: '/event-types',
      totalItems: EVENT_TYPES.length,
      member: EVENT_TYPES.map((name) => ({
        '@context': '/contexts/EventType.jsonld',
        '@type': 'EventType',
        id: `/event-types#${name}`,
        name,
      })),
      view: { '@type': 'PartialCollectionView', id: '/event-types' },
    });
    expect(documentOf(result).view).not.toHaveProperty('next');
  });

  it('answers what its route says it does', async () => {
    const { schema, examples } = listEventTypes.route.answers[0] ?? {};
    const document = documentOf(await get());
    expect(schema?.parse(document)).toEqual(document);
    expect(examples?.all?.value).toEqual(document);
  });

  it('has its links below the path that the API is served at', async () => {
    const { member } = documentOf(await get('/dev'));
    expect(member).toMatchObject([
      { id: '/dev/event-types#message.received' },
      ...Array(EVENT_TYPES.length - 1).fill({}),
    ]);
  });

  it('says when each is sent, in the words of the webhook contract', async () => {
    const page = await readFile(
      new URL('../../../docs/integrators/webhooks.md', import.meta.url),
      'utf8',
    );
    for (const { name, description } of await listed()) {
      const sentWhen = page.match(new RegExp(`^\\| \`${name}\` \\| ([^|]+) \\|`, 'm'))?.[1];
      expect(description).toBe(`Sent when ${sentWhen}.`);
    }
  });

  it('has schemas that say which JSON Schema they are, and need nothing else', async () => {
    for (const { schema } of await listed()) {
      expect(schema).toMatchObject({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
      });
      expect(JSON.stringify(schema)).not.toMatch(/"\$(?:ref|defs|id)"|~standard/);
    }
  });

  it('loses nothing of its schemas when it is written as JSON', async () => {
    const inMemory = presentEventTypes().member.map(({ schema }) => schema);
    expect((await listed()).map(({ schema }) => schema)).toStrictEqual(inMemory);
    for (const schema of inMemory)
      expect(Object.getOwnPropertyNames(schema)).not.toContain('~standard');
  });

  it('describes every member that it names', async () => {
    for (const { name, schema } of await listed()) {
      for (const [path, member] of membersOf(schema)) {
        expect(member.description, `${name} ${path}`).toMatch(/^\S.*\.$/);
      }
    }
  });
});

const ajv = new Ajv2020({ strict: true, allErrors: true });
addFormats.default(ajv);

const getSchema = (schema: string) =>
  call(
    getEventSchema.createHandler({ logger }),
    anApiEvent({ pathParameters: { schema }, authorizer: null }),
  );

const bodyOf = (type: EventType): Record<string, unknown> =>
  JSON.parse(createDelivery({ ...event(type), data: EVENT_CATALOGUE[type].sample }, 'a1').body);

const event = (type: EventType) => ({
  id: 'evt_1',
  type,
  account: 'acme',
  occurredAt: '2026-11-20T12:00:00.000Z',
});

describe('GET /event-types/{schema}', () => {
  it.each(EVENT_TYPES)('is a schema, for anyone, of the bodies of %s', async (type) => {
    const result = await getSchema(`${type}.json`);
    expect(result).toMatchObject({
      statusCode: 200,
      headers: {
        'Content-Type': 'application/schema+json',
        'Cache-Control': 'public, max-age=3600',
      },
    });
    const isValid = ajv.compile(documentOf(result));
    expect(isValid(bodyOf(type))).toBe(true);
    expect(isValid({ ...bodyOf(type), added: 1 })).toBe(true);
    for (const other of EVENT_TYPES.filter((other) => other !== type)) {
      expect(isValid(bodyOf(other))).toBe(false);
    }
    expect(isValid({ ...bodyOf(type), data: {} })).toBe(false);
  });

  it.each(['message.received', 'no_such.type.json', '__proto__', '%'])(
    'has no schema %j',
    async (name) => {
      expect((await getSchema(name)).statusCode).toBe(404);
    },
  );
});

interface ObjectSchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ObjectSchema>>;
}

const membersOf = ({ properties = {} }: ObjectSchema, parent = ''): [string, ObjectSchema][] =>
  Object.entries(properties).flatMap(([name, member]) => [
    [`${parent}/${name}`, member] as [string, ObjectSchema],
    ...membersOf(member, `${parent}/${name}`),
  ]);
