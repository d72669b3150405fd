import fc from 'fast-check';
import { ROUTES } from '../../../lambdas/api/openapi/routes.ts';
import type { Route } from '../../../lambdas/api/runtime/route.ts';
import { oddInstant, oddText, oddUrl } from './texts.ts';

/** Stands in a value for JSON that `JSON.stringify` does not write. */
const verbatim = (json: string): string => `\0verbatim:${json}`;

const textOf = (value: unknown): string =>
  (JSON.stringify(value) ?? '').replaceAll(/"\\u0000verbatim:([^"]*)"/g, '$1');

const nested = (open: string, depth: number, close: string): string =>
  open.repeat(depth) + (open.endsWith(':') ? '1' : '') + close.repeat(depth);

/** The deepest is more than `JSON.parse` can take, those before it about as much. */
const depth = fc.constantFrom(5, 100, 1_500, 2_300, 2_600, 2_900, 10_000);

const oddKey = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'length', '', '@', '@id'),
  fc.constantFrom('~/', 'a~1b', '\ud800', 'active', 'id', 'webhookSecret', 'x'.repeat(1_000)),
  oddText,
);

const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  oddInstant,
  oddUrl,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, true, false, 0, -1, 0.5, 2 ** 53, Number.MAX_VALUE, Number.MIN_VALUE),
  fc.constantFrom('1e999', '-1e999', '-0', '9'.repeat(400)).map(verbatim),
  fc.constantFrom<unknown>([], {}, [[]], [null], 'true', '86400'),
  oddKey.map((key) => Object.fromEntries([[key, 1]])),
  fc.constant({ constructor: { prototype: {} } }),
  depth.map((levels) => verbatim(nested('[', levels, ']'))),
);

type Change = 'replace' | 'remove' | 'rename' | 'add';

interface Mutation {
  readonly at: number;
  readonly change: Change;
  readonly key: string;
  readonly value: unknown;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat({ max: 30 }),
  change: fc.constantFrom<Change>('replace', 'replace', 'remove', 'rename', 'add'),
  key: oddKey,
  value: oddValue,
});

type Members = readonly (readonly [string, unknown])[];

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** How many members it has at all depths. */
const sizeOf = (value: unknown): number =>
  isObject(value)
    ? Object.values(value).reduce((sum: number, member) => sum + 1 + sizeOf(member), 0)
    : 0;

/** With one of its members changed, the one that `at` counts to. */
const mutated = (document: unknown, mutation: Mutation): unknown => {
  if (!isObject(document)) return mutation.value;
  let left = mutation.at % Math.max(1, sizeOf(document));
  const walk = (value: object): object => {
    const members: Members = Object.entries(value).flatMap(([name, member]): Members => {
      const isIt = left === 0;
      left -= 1;
      if (isIt) return changed([name, member], mutation);
      return [[name, isObject(member) ? walk(member) : member]];
    });
    return Object.fromEntries(members);
  };
  return walk(document);
};

const changed = ([name, member]: Members[number], { change, key, value }: Mutation): Members => {
  if (change === 'remove') return [];
  if (change === 'rename') return [[key, member]];
  if (change === 'replace') return [[name, value]];
  return isObject(member)
    ? [[name, Object.fromEntries([...Object.entries(member), [key, value]])]]
    : [
        [name, member],
        [key, value],
      ];
};

const examplesOf = ({ body }: Route): unknown[] =>
  Object.values(body?.examples ?? {}).map(({ value }) => value);

const ALL_EXAMPLES = ROUTES.flatMap(examplesOf);

const noDocument = fc.oneof(
  fc.constantFrom('null', 'true', '0', '-1e400', '""', '"text"', '[]', '[null]', '{}'),
  fc.constantFrom('', ' ', '{', '{"a":1', "{'a':1}", 'undefined', 'NaN', '\ufeff{}', '{}{}'),
  fc.constantFrom('[1,]', '"\ud800', 'nul', '\0', '<a/>', 'a=1&b=2', '{"a":01}', '"', '{"a"}'),
  oddText,
);

const deep = fc
  .tuple(
    fc.constantFrom('[', '{"a":', '{"config":', '{"settings":', '{"@x":', '{"__proto__":'),
    depth,
  )
  .map(([open, levels]) => nested(open, levels, open === '[' ? ']' : '}'));

/** About as much as a body may have. */
const large = fc
  .tuple(fc.constantFrom('x', 'ü', '👋'), fc.constantFrom(30_000, 65_500, 65_536, 70_000))
  .map(([character, bytes]) =>
    textOf({ '@x': character.repeat(bytes / Buffer.byteLength(character)) }),
  );

/** The text of a body for a route, often one that it takes or nearly so; null for none. */
export const hostileBody = (route: Route): fc.Arbitrary<string | null> => {
  const own = examplesOf(route);
  const valid = fc.constantFrom(...(own.length > 0 ? own : [{}]));
  const document = fc.oneof({ weight: 6, arbitrary: valid }, fc.constantFrom(...ALL_EXAMPLES));
  const nearlyValid = fc
    .tuple(document, fc.array(mutation, { minLength: 1, maxLength: 2 }))
    .map(([value, mutations]) => textOf(mutations.reduce(mutated, value)));
  return fc.oneof(
    { weight: 8, arbitrary: valid.map(textOf) },
    { weight: 12, arbitrary: nearlyValid },
    { weight: 2, arbitrary: document.map(textOf) },
    { weight: 3, arbitrary: oddValue.map(textOf) },
    { weight: 3, arbitrary: noDocument },
    { weight: 1, arbitrary: deep },
    { weight: 1, arbitrary: large },
    { weight: 1, arbitrary: fc.constant(null) },
  );
};
