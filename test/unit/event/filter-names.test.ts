import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataSchemaOf, EVENT_CATALOGUE } from '../../../core/event/event-catalogue.ts';
import { filterFaults } from '../../../core/event/event-filter.ts';
import { EVENT_TYPES, type EventType } from '../../../core/event/event-types.ts';
import { evaluateFilter } from '../../../core/event/filter-evaluation.ts';
import { canMatch, type DataSchema, filterWarnings } from '../../../core/event/filter-names.ts';

const warningsFor = (filter: object, ...types: readonly EventType[]) =>
  filterWarnings(filter, types.map(dataSchemaOf)).map(({ path, detail }) => [
    path.join('/'),
    detail,
  ]);

const TO = { to: ['+13035550199'] };

describe('a filter that can match an event of the subscribed types', () => {
  it.each<[filter: object, types: readonly EventType[]]>([
    [{}, ['message.received']],
    [{ message: TO }, ['contact.created', 'message.received']],
    [{ message: { direction: ['in', 'out'] } }, ['message.received']],
    [{ contact: { name: [{ exists: false }] } }, ['contact.created']],
    // What most types lack, and one has.
    [
      { error: { code: [{ exists: false }, 'unreachable'] } },
      ['message.failed', 'contact.created'],
    ],
    [{ phoneCall: { durationSeconds: [{ numeric: ['>', 60] }] } }, ['phone_call.completed']],
    [{ keyword: [{ 'anything-but': 'STOP' }] }, ['contact.opted_out']],
    [{ anything: ['x'] }, []],
  ])('has no warning: %j for %j', (filter, types) => {
    expect(warningsFor(filter, ...types)).toEqual([]);
  });
});

const NO_NAME = 'is a name that no subscribed event type has here';
const BELOW_DATA = 'a filter begins below `data`';
const NO_VALUE = 'matches no value that the subscribed event types have here';

describe('a filter that can match no event', () => {
  const ofMessage = `${NO_NAME}; they have contact, message; ${BELOW_DATA}`;
  it.each([
    ['the body’s root', { data: { message: TO } }, 'data', ofMessage],
    ['EventBridge’s root', { detail: { message: TO } }, 'detail', ofMessage],
    ['a member of the body', { action: ['message.received'] }, 'action', ofMessage],
    [
      'a path in one name',
      { 'message.to': ['+13035550199'] },
      'message.to',
      `${ofMessage}; a name inside another is written as an object`,
    ],
    [
      'a misspelt name',
      { message: { too: ['+13035550199'] } },
      'message/too',
      `${NO_NAME}; they have body, direction, from, id, to`,
    ],
    ['a name inside a text', { message: { to: { number: ['x'] } } }, 'message/to/number', NO_NAME],
    ['a number instead of a text', { message: { to: [13035550199] } }, 'message/to', NO_VALUE],
    [
      'an operator of numbers',
      { message: { to: [{ numeric: ['>', 0] }] } },
      'message/to',
      NO_VALUE,
    ],
    [
      'a value that a type never has',
      { message: { direction: ['out'] } },
      'message/direction',
      NO_VALUE,
    ],
    [
      'anything but the only value',
      { message: { direction: [{ 'anything-but': 'in' }] } },
      'message/direction',
      NO_VALUE,
    ],
    ['an object as a value', { message: ['x', null] }, 'message', NO_VALUE],
  ])('names %s', (_, filter, path, detail) => {
    expect(warningsFor(filter, 'message.received')).toEqual([[path, detail]]);
  });

  it('names what every subscribed type lacks, and what any has there', () => {
    const filter = { message: { ...TO, too: ['x'] }, phonecall: { id: ['x'] } };
    expect(warningsFor(filter, 'message.received', 'phone_call.completed')).toEqual([
      ['phonecall', `${NO_NAME}; they have contact, message, phoneCall; ${BELOW_DATA}`],
    ]);
  });

  it('is named as a whole where no type has all of its names', () => {
    const filter = { message: TO, phoneCall: { direction: ['in'] } };
    expect(warningsFor(filter, 'message.received', 'phone_call.completed')).toEqual([
      ['', 'matches no event: no subscribed event type has all of its names and values'],
    ]);
  });

  it('names a misspelt name that must be absent, though it always is', () => {
    expect(warningsFor({ contct: { id: [{ exists: false }] } }, 'contact.created')).toHaveLength(1);
  });

  it('names ten of many', () => {
    const filter = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`n${at}`, ['x']]));
    expect(warningsFor(filter, 'message.received')).toHaveLength(10);
  });
});

describe('names that a schema leaves free', () => {
  const schema: DataSchema = {
    type: 'object',
    properties: {
      tags: { type: 'object', additionalProperties: { type: 'string' } },
      custom: { type: 'object', additionalProperties: {} },
      extra: {},
      parts: {
        type: 'array',
        items: {
          anyOf: [{ type: 'object', properties: { kind: { enum: ['a', 'b'] } } }, { type: 'null' }],
        },
      },
    },
    additionalProperties: {},
  };

  it.each([
    { tags: { any: ['x'] } },
    { custom: { any: { name: [5] } } },
    { extra: { any: { name: [5] } } },
    { parts: { kind: ['a'] } },
    { parts: [null] },
  ])('have no warning: %j', (filter) => {
    expect(filterWarnings(filter, [schema])).toEqual([]);
  });

  it.each([{ tags: { any: [5] } }, { parts: { kind: ['c'] } }, { parts: { other: ['a'] } }])(
    'have one where their values cannot match: %j',
    (filter) => {
      expect(filterWarnings(filter, [schema])).toHaveLength(1);
    },
  );
});

describe('any filter', () => {
  const value = fc.constantFrom<unknown[]>(
    'in',
    'out',
    'STOP',
    '+13035550199',
    '',
    0,
    74,
    null,
    true,
  );
  const matcher = fc.oneof(
    value,
    fc.record({
      'anything-but': fc.constantFrom<unknown>('in', ['in', 'out'], 74, { prefix: '+' }),
    }),
    fc.record({ exists: fc.boolean() }),
    fc.record({ numeric: fc.constant(['>', 5]) }),
    fc.record({ prefix: fc.constantFrom('+1', 'i') }),
    fc.record({ 'equals-ignore-case': fc.constantFrom('IN', 'stop') }),
  );
  const name = fc.constantFrom(
    'message',
    'contact',
    'phoneCall',
    'error',
    'keyword',
    'to',
    'from',
    'direction',
    'name',
    'code',
    'durationSeconds',
    'data',
    'other',
  );
  const { filter } = fc.letrec<{ filter: object; wanted: unknown }>((tie) => ({
    filter: fc.dictionary(name, tie('wanted'), { minKeys: 1, maxKeys: 2, noNullPrototype: true }),
    wanted: fc.oneof(
      { depthSize: 'small' },
      fc.array(matcher, { minLength: 1, maxLength: 3 }),
      tie('filter'),
    ),
  }));
  /** The sample of a type, with other texts and numbers, and without what may be absent. */
  const eventOf = (type: EventType) =>
    fc.record({ text: fc.constantFrom('STOP', '+13035550199', ''), isBare: fc.boolean() }).map(
      ({ text, isBare }) =>
        JSON.parse(JSON.stringify(EVENT_CATALOGUE[type].sample), (key, old) => {
          if (isBare && (key === 'name' || key === 'keyword')) return undefined;
          return typeof old === 'string' && key !== 'direction' ? text : old;
        }) as unknown,
    );

  it('that matches an event is one that can match its type', () => {
    const typed = fc
      .constantFrom(...EVENT_TYPES)
      .chain((type) => fc.tuple(fc.constant(type), eventOf(type)));
    fc.assert(
      fc.property(filter, typed, (drawn, [type, event]) => {
        fc.pre(filterFaults(drawn).length === 0);
        const { isSent } = evaluateFilter(JSON.stringify(drawn), event);
        if (isSent) expect(canMatch(drawn, dataSchemaOf(type))).toBe(true);
      }),
    );
  });
});
