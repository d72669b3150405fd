import fc from 'fast-check';
import type { Role } from '../../../core/directory/user.ts';
import type { Route } from '../../../lambdas/api/runtime/route.ts';
import { mostly } from '../mostly.ts';
import { hostileBody } from './bodies.ts';
import { type Headers, hostileHeaders } from './headers.ts';
import { hostileQuery } from './queries.ts';
import { oddText } from './texts.ts';

export interface HostileRequest {
  readonly role: Role;
  /** As they are in the path, percent-encoded or not quite. */
  readonly segments: Readonly<Record<string, string>>;
  /** As it follows the `?`. */
  readonly query: string | undefined;
  readonly headers: Headers;
  readonly body: string | null;
}

/** What there is at the service that is asked. */
export interface Known {
  /** Values of path parameters, by name. */
  readonly parameters: Readonly<Record<string, readonly string[]>>;
  /** Those that If-Match may name. */
  readonly entityTags: readonly string[];
}

const oddSegment = fc
  .oneof(
    fc.constantFrom(
      '',
      '%',
      '%zz',
      '%00',
      '%2F',
      '%2e%2e',
      '..',
      '.',
      '%C0%AF',
      '%ED%A0%80',
      '%ff',
      '+',
    ),
    fc.constantFrom('~', '@', ':', '0123456789Ab%0A', '0123456789AB', '__proto__', 'constructor'),
    fc.constantFrom('%F0%9F%91%8B', 'x'.repeat(2_000), '%20'.repeat(300), 'evt_1#', 'evt_1%23x'),
    oddText.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 900)),
  )
  .map((segment) => segment.replaceAll('#', '%23'));

const segmentsOf = ({ path }: Route, { parameters }: Known): fc.Arbitrary<Record<string, string>> =>
  fc.record(
    Object.fromEntries(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [
        name,
        mostly(fc.constantFrom(...(parameters[name] ?? [])), oddSegment, { times: 9 }),
      ]),
    ),
  );

/** A request of a route, with some of it wrong more often than not. */
export const hostileRequest = (route: Route, known: Known): fc.Arbitrary<HostileRequest> =>
  fc.record({
    role: mostly(fc.constant<Role>('admin'), fc.constant<Role>('member'), { times: 12 }),
    segments: segmentsOf(route, known),
    query: hostileQuery(route),
    headers: hostileHeaders(route, known),
    body: route.body ? hostileBody(route) : mostly(fc.constant(null), hostileBody(route)),
  });
