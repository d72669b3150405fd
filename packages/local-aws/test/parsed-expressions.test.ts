import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ExpressionParser, rememberParsed } from '../aws/parsed-expressions.ts';

const require = createRequire(import.meta.url);
const parserOf = (name: string): ExpressionParser => require(`dynalite/db/${name}Parser`);
const { compare } = require('dynalite/db');

const EXPRESSIONS = {
  condition: [
    '#a = :a',
    'attribute_not_exists(#a) OR #b < :b',
    'begins_with(#a, :a)',
    'contains(#a, :b) AND #a IN (:a, :b)',
    '#a BETWEEN :a AND :b',
    'attribute_type(#a, :a)',
    'size(#a) > :a',
    '#a =',
  ],
  update: [
    'SET #a = :a, #b = if_not_exists(#b, :b)',
    'SET #a.#b = #a.#b + :a REMOVE x',
    'ADD #a :a DELETE #b :b',
    'SET #a = :a, #a = :b',
  ],
  projection: ['#a, #b.x[1]', '#a, #a', 'x'],
};

const names = { '#a': fc.constantFrom('x', 'y'), '#b': fc.constant('z') };
const ofType = (value: fc.Arbitrary<object>) => fc.record({ ':a': value, ':b': value });
const sameType = fc.oneof(
  ofType(fc.record({ S: fc.constantFrom('S', 'x') })),
  ofType(fc.record({ N: fc.constantFrom('1', '5') })),
  ofType(fc.record({ SS: fc.constantFrom(['x'], ['y']) })),
);
const values = { ':a': fc.constant({ S: 'x' }), ':b': fc.constant({ N: '1' }) };
const some = { requiredKeys: [] };
const given = fc.oneof(
  { weight: 4, arbitrary: fc.record({ attrNames: fc.record(names), attrVals: sameType }) },
  fc.record({ attrNames: fc.record(names, some), attrVals: fc.record(values, some) }, some),
);

type Given = Partial<Record<'attrNames' | 'attrVals', object>>;

const flags = (names: object = {}) =>
  Object.fromEntries(Object.keys(names).map((each) => [each, true as const]));

/** What a parser says of an expression: a tree, a fault or an error; and what was not used. */
const saying = ({ parse }: ExpressionParser, expression: string, names: Given) => {
  const unused = {
    unusedAttrNames: flags(names.attrNames),
    unusedAttrVals: flags(names.attrVals),
  };
  const context = { ...structuredClone(names), ...unused, compare, isReserved: () => false };
  try {
    const said = parse(expression, { context } as Parameters<typeof parse>[1]);
    return typeof said === 'string' ? said : { said, ...unused };
  } catch (error) {
    return String(error);
  }
};

describe('an expression of DynamoDB that was parsed before', () => {
  it.each(['condition', 'update', 'projection'] as const)(
    'means the same again, with its own names and values: %s',
    (kind) => {
      const plain = parserOf(kind);
      const request = fc.tuple(fc.constantFrom(...EXPRESSIONS[kind]), given);
      fc.assert(
        fc.property(fc.array(request, { minLength: 2, maxLength: 30 }), (requests) => {
          const remembering = { ...plain };
          rememberParsed(remembering);
          for (const [expression, names] of requests) {
            expect(saying(remembering, expression, names as Given)).toEqual(
              saying(plain, expression, names as Given),
            );
          }
        }),
        { numRuns: 500 },
      );
    },
  );
});
