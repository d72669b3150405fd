import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterFaults, MAX_FILTER_BYTES } from '../../../core/event/event-filter.ts';
import { parseExactJson } from '../../../core/event/exact-json.ts';
import { evaluateFilter } from '../../../core/event/filter-evaluation.ts';

/** Throws where the filter is not evaluated, and the event is sent. */
const matches = (filter: unknown, data: unknown): boolean => {
  const { isSent, fault } = evaluateFilter(JSON.stringify(filter), data);
  if (fault === undefined) return isSent;
  expect(isSent).toBe(true);
  throw fault;
};

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html, in 2026 */
const EC2 = {
  'detail-type': 'EC2 Instance State-change Notification',
  source: 'aws.ec2',
  time: '2017-10-02T16:24:49Z',
  resources: ['arn:aws:ec2:us-east-1:123456789012:instance/i-000000aaaaaa00000'],
  detail: { 'c-count': 5, 'd-count': 3, 'x-limit': 301.8, state: 'running' },
};
const AUTO_SCALING = { resources: [], detail: { eventVersion: '', responseElements: null } };
const MACIE = {
  source: 'aws.macie',
  detail: { 'risk-score': 80, tags: ['Custom_Alert', 'Insider'], trigger: { risk: 8 } },
};
const EMPLOYEES = {
  employees: [
    { firstName: 'John', lastName: 'Doe' },
    { firstName: 'Anna', lastName: 'Smith' },
    { firstName: 'Peter', lastName: 'Jones' },
  ],
};

describe('a filter, by the published examples of EventBridge', () => {
  it.each([
    [true, { source: ['aws.ec2'], detail: { state: ['initializing', 'running'] } }, EC2],
    [false, { source: ['aws.ec2'], detail: { state: ['terminated'] } }, EC2],
    [true, { source: ['aws.ec2', 'aws.fargate'] }, EC2],
    [true, { resources: EC2.resources }, EC2],
    [true, { detail: { 'risk-score': [80], trigger: { risk: [8] } } }, MACIE],
    [true, { detail: { eventVersion: [''] } }, AUTO_SCALING],
    [true, { detail: { responseElements: [null] } }, AUTO_SCALING],
    [false, { detail: { responseElements: [''] } }, AUTO_SCALING],
    [true, { time: [{ prefix: '2017-10-02' }] }, EC2],
    [true, { source: [{ suffix: 'ec2' }] }, EC2],
    [true, { source: [{ 'equals-ignore-case': 'AWS.EC2' }] }, EC2],
    [true, { detail: { state: [{ 'anything-but': 'initializing' }] } }, EC2],
    [true, { detail: { 'x-limit': [{ 'anything-but': 123 }] } }, EC2],
    [true, { detail: { state: [{ 'anything-but': ['stopped', 'overloaded'] }] } }, EC2],
    [true, { detail: { 'x-limit': [{ 'anything-but': [100, 200, 300] }] } }, EC2],
    [true, { detail: { state: [{ 'anything-but': { prefix: 'init' } }] } }, EC2],
    [false, { detail: { state: [{ 'anything-but': { suffix: 'ing' } }] } }, EC2],
    [false, { detail: { state: [{ 'anything-but': { 'equals-ignore-case': 'RUNNING' } }] } }, EC2],
    [
      true,
      {
        detail: {
          'c-count': [{ numeric: ['>', 0, '<=', 5] }],
          'd-count': [{ numeric: ['<', 10] }],
          'x-limit': [{ numeric: ['=', 3.018e2] }],
        },
      },
      EC2,
    ],
    [true, { detail: { 'c-count': [{ exists: true }] } }, EC2],
    [false, { detail: { 'c-count': [{ exists: false }] } }, EC2],
    [true, { detail: { 'c-count': [{ exists: false }] } }, { detail: { state: 'running' } }],
    [true, { detail: { 'c-count': [{ exists: false }] } }, { detail: { 'c-count': { c1: 100 } } }],
    [
      true,
      {
        time: [{ prefix: '2017-10-02' }],
        detail: {
          state: [{ 'anything-but': 'initializing' }],
          'c-count': [{ numeric: ['>', 0, '<=', 5] }],
          'd-count': [{ numeric: ['<', 10] }],
          'x-limit': [{ 'anything-but': [100, 200, 300] }],
        },
      },
      EC2,
    ],
    [true, { employees: { firstName: ['Anna'] } }, EMPLOYEES],
    [false, { employees: { firstName: ['Anna'], lastName: ['Jones'] } }, EMPLOYEES],
    [true, { employees: { firstName: ['Anna'] } }, { employees: [[EMPLOYEES.employees]] }],
  ])('answers %s to %j', (expected, filter, event) => {
    expect(filterFaults(filter)).toEqual([]);
    expect(matches(filter, event)).toBe(expected);
  });
});

describe('a filter', () => {
  it.each([
    ['a field that is missing', { a: ['x'] }, {}, false],
    ['a field that an object does not own', { constructor: [{ exists: true }] }, {}, false],
    ['a field named constructor', { constructor: ['x'] }, { constructor: 'x' }, true],
    ['a member of a text', { a: { length: [1] } }, { a: 'x' }, false],
    ['a member of null', { a: { b: ['x'] } }, { a: null }, false],
    ['a missing member of a missing object', { a: { b: [{ exists: false }] } }, {}, true],
    ['null, which is there', { a: [{ exists: true }] }, { a: null }, true],
    ['an empty list, which has no value', { a: [{ exists: false }] }, { a: [] }, true],
    ['a list within a list', { a: ['x'] }, { a: [['y'], [['x']]] }, true],
    ['a list with another value', { a: [{ 'anything-but': 'x' }] }, { a: ['x', 'y'] }, true],
    ['a list of that value', { a: [{ 'anything-but': 'x' }] }, { a: ['x', 'x'] }, false],
    ['no value, but for one', { a: [{ 'anything-but': 'x' }] }, {}, false],
    ['a number as a text', { a: [1] }, { a: '1' }, false],
    ['a text with an operator of numbers', { a: [{ numeric: ['>', 0] }] }, { a: '5' }, false],
    ['a number with an operator of texts', { a: [{ prefix: '5' }] }, { a: 55 }, false],
    ['true, which is no 1', { a: [1] }, { a: true }, false],
    ['-0', { a: [0] }, { a: -0 }, true],
    ['one of several values', { a: ['x', 1, { prefix: 'y' }] }, { a: 'yes' }, true],
    ['composed as another text', { a: ['é'] }, { a: 'e\u0301' }, false],
    ['a final sigma', { a: [{ 'equals-ignore-case': 'ΟΔΟΣ' }] }, { a: 'οδος' }, true],
    ['a letter of several', { a: [{ 'equals-ignore-case': 'ﬃ' }] }, { a: 'FFI' }, true],
    ['an emoji', { a: [{ suffix: '👍' }] }, { a: 'ok 👍' }, true],
  ])('decides on %s', (_, filter, data, expected) => {
    expect(filterFaults(filter)).toEqual([]);
    expect(matches(filter, data)).toBe(expected);
  });

  it.each([
    ['300.0', 300, true],
    ['3.0e2', 300, true],
    ['12345678901234567890', 12345, false],
    ['1e400', 5, false],
  ])('compares the number %s by its value', (source, wanted, expected) => {
    expect(matches({ a: [wanted] }, parseExactJson(`{"a":${source}}`))).toBe(expected);
  });

  it('compares the last of members of one name, as bodies have it', () => {
    const data = parseExactJson('{"a":"x","a":"y"}');
    expect([matches({ a: ['x'] }, data), matches({ a: ['y'] }, data)]).toEqual([false, true]);
  });

  it('does not look into a number that is kept as its text', () => {
    const data = parseExactJson('{"a":1.50}');
    expect(matches({ a: { rawJSON: [{ exists: true }] } }, data)).toBe(false);
  });

  it.each<[filter: object, path: PropertyKey[], detail: unknown]>([
    [{ a: 'x' }, ['a'], 'must be a list of values, such as ["in"], or an object'],
    [{ a: {} }, ['a'], 'must name a field'],
    [{ a: [] }, ['a'], 'must have a value'],
    [{ a: [['x']] }, ['a', 0], 'must be a value, not a list'],
    [{ a: ['x', 2 ** 53] }, ['a', 1], expect.stringContaining('must be a number from')],
    [{ a: [{ wildcard: 'x*' }] }, ['a', 0], expect.stringContaining('must have one operator of')],
    [{ a: [{ toString: 'x' }] }, ['a', 0], expect.stringContaining('must have one operator of')],
    [
      { a: [{ prefix: 'x', suffix: 'y' }] },
      ['a', 0],
      expect.stringContaining('must have one operator of'),
    ],
    [{ a: [{ prefix: 1 }] }, ['a', 0, 'prefix'], 'must be a text'],
    [{ a: [{ suffix: '' }] }, ['a', 0, 'suffix'], 'must be a text'],
    [{ a: [{ exists: 'yes' }] }, ['a', 0, 'exists'], 'must be true or false'],
    ...[
      [],
      ['>'],
      ['>', '0'],
      ['!', 0],
      ['<', 5, '>', 0],
      ['>', 5, '<', 5],
      ['=', 5, '<', 6],
      ['>', 1, '<', 2, '<', 3],
      'x',
    ].map((numeric): [object, PropertyKey[], unknown] => [
      { a: [{ numeric }] },
      ['a', 0, 'numeric'],
      'must be a list such as [">", 0, "<=", 5] or ["=", 5]',
    ]),
    ...[[], ['x', 1], [true], null, { prefix: '' }, { exists: true }, { prefix: [] }].map(
      (but): [object, PropertyKey[], unknown] => [
        { a: [{ 'anything-but': but }] },
        ['a', 0, 'anything-but'],
        expect.stringContaining('must be a text, a number, a list'),
      ],
    ),
    [{ '@type': ['x'] }, ['@type'], 'must have another name'],
    [JSON.parse('{"__proto__":["x"]}'), ['__proto__'], 'must have another name'],
    [{ $or: [{ a: ['x'] }] }, ['$or'], 'must have another name: filters have no $or'],
    [
      { a: { b: { c: { d: { e: { f: ['x'] } } } } } },
      ['a', 'b', 'c', 'd', 'e'],
      'must be a list: a filter has at most 5 levels',
    ],
  ])('is refused as %j', (filter, path, detail) => {
    expect(filterFaults(filter)).toEqual([{ path, detail }]);
    expect(() => matches(filter, {})).toThrow();
  });

  it('has at most 2 KB, as UTF-8', () => {
    const filter = { a: ['é'.repeat((MAX_FILTER_BYTES - '{"a":[""]}'.length) / 2)] };
    expect(filterFaults(filter)).toEqual([]);
    expect(filterFaults({ a: [...filter.a, ''] })).toEqual([
      { path: [], detail: 'must be at most 2048 bytes, and has 2051' },
    ]);
  });
});

/** A filter as it is defined, in as few words as possible. */
const specified = (pattern: unknown, value: unknown): boolean => {
  if (!Array.isArray(pattern)) {
    if (Array.isArray(value) && value.length > 0)
      return value.some((one) => specified(pattern, one));
    return Object.entries(pattern as object).every(([name, wanted]) => {
      const own = Object.entries(Object(typeof value === 'object' ? value : {}));
      return specified(
        wanted,
        Array.isArray(value) ? undefined : own.find(([n]) => n === name)?.[1],
      );
    });
  }
  const leaves = [value]
    .flat(99)
    .filter((one) => one !== undefined && (one === null || typeof one !== 'object'));
  return pattern.some((matcher) => {
    if (matcher === null || typeof matcher !== 'object') return leaves.includes(matcher);
    const [operator, operand] = Object.entries(matcher)[0] ?? [];
    if (operator === 'exists') return leaves.length > 0 === operand;
    return leaves.some((leaf) => {
      if (operator === 'anything-but') return ![operand].flat().includes(leaf);
      if (operator === 'numeric')
        return typeof leaf === 'number' && leaf > Number((operand as unknown[])[1]);
      if (typeof leaf !== 'string') return false;
      return operator === 'prefix'
        ? leaf.startsWith(operand as string)
        : leaf.endsWith(operand as string);
    });
  });
};

describe('any filter and any event', () => {
  const name = fc.constantFrom('a', 'b', 'constructor', 'toString', '');
  const leaf = fc.oneof(fc.constantFrom('', 'x', 'xy', 'y', 0, 1, -1.5, true, null), fc.string());
  const text = fc.constantFrom('x', 'xy', 'y', '👍');
  const matcher = fc.oneof(
    leaf,
    fc.record({ prefix: text }),
    fc.record({ suffix: text }),
    fc.record({ exists: fc.boolean() }),
    fc.record({ 'anything-but': fc.oneof(text, fc.array(text, { minLength: 1 })) }),
    fc.integer({ min: -2, max: 2 }).map((bound) => ({ numeric: ['>', bound] })),
  );
  const pattern = fc.letrec((tie) => ({
    fields: fc.dictionary(
      name,
      fc.oneof(
        { weight: 3, arbitrary: fc.array(matcher, { minLength: 1, maxLength: 3 }) },
        tie('fields'),
      ),
      { minKeys: 1, maxKeys: 2, depthIdentifier: 'pattern' },
    ),
  })).fields;
  const data = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 3 }),
    ),
  })).value;

  it('match as filters are defined, unless the filter is refused', () => {
    fc.assert(
      fc.property(pattern, fc.dictionary(name, data, { maxKeys: 3 }), (filter, event) => {
        if (filterFaults(filter).length > 0) return;
        const exact = parseExactJson(JSON.stringify(event));
        expect(matches(filter, exact)).toBe(specified(filter, event));
      }),
      { numRuns: 2_000 },
    );
  });

  it('never make the check of a filter throw, nor an accepted filter', () => {
    fc.assert(
      fc.property(fc.object(), fc.object(), (filter, event) => {
        if (filterFaults(filter).length === 0) matches(filter, event);
      }),
    );
  });
});
