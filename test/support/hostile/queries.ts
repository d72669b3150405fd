import fc from 'fast-check';
import type { Route } from '../../../lambdas/api/runtime/route.ts';
import { requiredQueryOf } from '../lambdas/route-requests.ts';
import { mostly } from '../mostly.ts';
import { oddInstant, oddText } from './texts.ts';

const USUAL_QUERY: Readonly<Record<string, readonly string[]>> = {
  limit: ['1', '2', '100'],
  cursor: [
    Buffer.from('0123456789Ab').toString('base64url'),
    Buffer.from('2026-11-20T12:00:00.000Z#evt_01JD').toString('base64url'),
    Buffer.from('+010000-01-01T00:00:00.000Z#evt_01JD').toString('base64url'),
    Buffer.from('0000-01-01T00:00:00.000Z#z').toString('base64url'),
    Buffer.from('2026-11-20T12:00:00.000Z#0123456789Ab#evt_01JD').toString('base64url'),
    Buffer.from('+010000-01-01T00:00:00.000Z#0123456789Ab#-').toString('base64url'),
  ],
  about: ['msg_1', 'evt_01JD', '-'],
  outcome: ['delivered', 'transient', 'fatal'],
  eventType: ['message.received', 'contact.created'],
  since: ['2026-11-20T11:00:00Z', '2026-11-20T12:00:00.000Z'],
  until: ['2026-11-21T00:00:00Z', '2026-11-20T12:00:00.001+00:00'],
};

const oddQueryValue = fc.oneof(
  oddText.map((text) => text.slice(0, 600)),
  oddInstant,
  fc.constantFrom(
    '0',
    '-1',
    '101',
    '1e2',
    '1.0',
    '９',
    '0x10',
    '999999999',
    '9'.repeat(30),
    'A'.repeat(513),
  ),
);

const oddQuery = fc.constantFrom(
  '=',
  '&',
  '?',
  '%',
  'limit',
  'limit=',
  'limit=1&limit=1',
  'cursor=%00',
  '&&=&',
  'limit[]=1',
  'a=%ff',
  'x',
);

/** As it follows the `?`. */
export const hostileQuery = ({ query }: Route): fc.Arbitrary<string | undefined> => {
  const names = Object.keys(query?.shape ?? {});
  const name = fc.constantFrom(...names, ...names, 'page');
  const parameter = name.chain((given) =>
    mostly(fc.constantFrom(...(USUAL_QUERY[given] ?? ['1'])), oddQueryValue, { times: 2 }).map(
      (value) => new URLSearchParams([[given, value]]).toString(),
    ),
  );
  const parameters = fc
    .uniqueArray(parameter, { minLength: 1, maxLength: 4 })
    .map((all) => all.join('&'));
  const given = mostly(parameters, oddQuery);
  if (names.length === 0) return mostly(fc.constant(undefined), given);
  const required = requiredQueryOf({ query });
  const optional = fc.oneof(
    { weight: 1, arbitrary: fc.constant(undefined) },
    { weight: 4, arbitrary: given },
  );
  if (required === '') return optional;
  const withRequired = optional.map((others) =>
    others === undefined ? required : `${required}&${others}`,
  );
  return mostly(withRequired, optional);
};
