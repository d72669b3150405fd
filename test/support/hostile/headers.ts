import fc from 'fast-check';
import type { Route } from '../../../lambdas/api/runtime/route.ts';
import { mostly } from '../mostly.ts';

/** Names may repeat. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** Every character that HTTP lets a header's value have. */
const headerText = fc.string({
  unit: fc.integer({ min: 0x1f, max: 0xff }).map((code) => {
    if (code === 0x1f) return '\t';
    return code === 0x7f ? '~' : String.fromCharCode(code);
  }),
  maxLength: 60,
});

const oddHeader = fc.oneof(
  headerText,
  fc.constantFrom('', ' ', ',', ', ,', ';', '*', '"', 'W/', '%', '\t', 'null', '[object Object]'),
  fc
    .constantFrom('x', ', ', '; ', '*/*,', '"', ' ', 'ÿ')
    .map((text) => text.repeat(4_000 / text.length)),
);

/** Absent, present once or, rarely, more than once. */
const header = (
  name: string,
  value: fc.Arbitrary<string>,
  { absent, present = 1 }: { absent: number; present?: number },
): fc.Arbitrary<Headers> =>
  fc.oneof(
    { weight: absent * 12, arbitrary: fc.constant([]) },
    { weight: present * 11, arbitrary: value.map((text): Headers => [[name, text]]) },
    {
      weight: present,
      arbitrary: fc.array(
        value.map((text) => [name, text] as const),
        {
          minLength: 2,
          maxLength: 3,
        },
      ),
    },
  );

const contentType = mostly(
  fc.constantFrom('application/json', 'application/vnd.service+jsonld; charset=utf-8'),
  fc.oneof(
    fc.constantFrom('text/plain', 'application/merge-patch+json', 'APPLICATION/JSON;charset=x'),
    oddHeader,
  ),
  { times: 20 },
);

const accept = fc.oneof(
  fc.constantFrom('application/vnd.service+jsonld', 'application/json', 'text/html;q=0.9, */*'),
  fc.constantFrom('application/json;q=0', '*/*;q=0', 'application/*;q=2', 'application/json;q=x'),
  fc.constantFrom('application/ld+json;profile="a,b;c"', 'text/html', 'application', '/', '*'),
  oddHeader,
);

const idempotencyKey = fc.oneof(fc.constantFrom('key-1', 'key-2'), oddHeader);

const ifNoneMatch = fc.oneof(fc.constantFrom('*', '"x"', 'W/"x", "y"'), oddHeader);

const unread = fc
  .constantFrom('Origin', 'X-HTTP-Method-Override', 'Cookie', 'Range', '__proto__', 'constructor')
  .chain((name) => header(name, oddHeader, { absent: 0 }));

/** `entityTags` are those that If-Match may name. */
export const hostileHeaders = (
  { body }: Route,
  { entityTags }: { entityTags: readonly string[] },
): fc.Arbitrary<Headers> => {
  const ifMatch = fc.oneof(fc.constantFrom(...entityTags, '*', '"x"', 'W/"x"'), oddHeader);
  const ofBody = body ? { absent: 1, present: 30 } : { absent: 12 };
  return fc
    .tuple(
      header('Content-Type', contentType, ofBody),
      header('Accept', accept, { absent: 9 }),
      header('If-Match', ifMatch, { absent: 3 }),
      header('Idempotency-Key', idempotencyKey, { absent: 3 }),
      header('If-None-Match', ifNoneMatch, { absent: 9 }),
      mostly(fc.constant([]), unread),
    )
    .map((all) => all.flat());
};
