import { writeFile } from 'node:fs/promises';
import { problemExamplesOf } from '../../lambdas/api/openapi/problem-examples.ts';
import { ROUTES } from '../../lambdas/api/openapi/routes.ts';
import type { Route } from '../../lambdas/api/runtime/route.ts';

// `npm run docs` writes the page. A test fails if the page is not the one that the routes make.

export const PAGE = 'docs/integrators/api-reference.md';

const INTRODUCTION = `
# API reference

<!-- Generated from the routes: change those and run \`npm run docs\`. -->

[Use the API](api.md) explains what the calls have in common. A running service has the schema and examples of every
body at \`/docs\`. "Takes" lists query parameters, headers and the body. [Refusals](#refusals) that many calls share are
only in the last table. The calls of [Reference](#reference) need no token, take \`If-None-Match\`, and answer 200 or 304.
`.trim();

type Cells = readonly string[];

type IsInGroup = (route: Route) => boolean;

/** Each refusal that no row lists is given by exactly one of these groups of calls. */
const GROUPS: Readonly<Record<string, IsInGroup>> = {
  all: () => true,
  'with a token': ({ access }) => access !== 'public',
  'with the role `admin`': ({ access }) => access === 'admin',
  'with a body': ({ body }) => body !== undefined,
  'with a path parameter': ({ path }) => path.includes('{'),
  'with a query': ({ query }) => query !== undefined,
  'with `Idempotency-Key`': ({ requestHeaders }) =>
    requestHeaders?.includes('Idempotency-Key') ?? false,
};

/** The Markdown of the page. */
export const apiReference = (routes: readonly Route[] = ROUTES): string => {
  const sections = Map.groupBy(routes, ({ tag }) => tag)
    .entries()
    .map(([tag, ofTag]) => callsSection(tag, ofTag));
  const refusals = section('Refusals', REFUSAL_COLUMNS, refusalRows(routes));
  return `${[INTRODUCTION, ...sections, refusals].join('\n\n')}\n`;
};

const callsSection = (tag: string, ofTag: readonly Route[]): string =>
  ofTag.every(({ access }) => access === 'public')
    ? section(tag, ['Call', 'Summary'], ofTag.map(shortRowOf))
    : section(tag, ['Call', 'Summary', 'Role', 'Takes', 'Success', 'Refusals'], ofTag.map(rowOf));

const shortRowOf = (route: Route): Cells => [code(`${route.method} ${route.path}`), route.summary];

const rowOf = (route: Route): Cells => [
  ...shortRowOf(route),
  code(route.access),
  takenBy(route),
  [...new Set(route.answers.map(({ status }) => status))].join(', '),
  listedRefusals(route).map(code).join(', '),
];

const takenBy = ({ query, requestHeaders = [], body }: Route): string =>
  [
    ...(query ? [code(`?${Object.keys(query.shape).join('&')}`)] : []),
    ...requestHeaders.map(code),
    ...(body ? [code(titleOf(body))] : []),
  ].join(', ');

/** A schema's name in the OpenAPI document. */
const titleOf = ({ schema }: NonNullable<Route['body']>): string => `${schema.meta()?.id}`;

const REFUSAL_COLUMNS = ['Status', 'Problem', 'When', 'Calls'];

/** Every refusal once, by its status. */
const refusalRows = (routes: readonly Route[]): readonly Cells[] => {
  const listed = new Set<string>(routes.flatMap(listedRefusals));
  const givenBy = (name: string) =>
    routes.filter((route) => problemExamplesOf(route).some((problem) => problem.name === name));
  const problems = new Map(
    routes.flatMap(problemExamplesOf).map((problem) => [problem.name, problem]),
  );
  return [...problems.values()]
    .toSorted((one, other) => one.value.status - other.value.status)
    .map(({ name, summary, value: { status, type } }) => {
      const kind = type.replace('/problems/', '');
      const calls = listed.has(kind) ? 'where listed' : groupOf(new Set(givenBy(name)), routes);
      return [`${status}`, code(kind), summary, calls];
    });
};

/** `not-found` is that of a group. */
const listedRefusals = ({ refusals }: Route) => refusals.filter((kind) => kind !== 'not-found');

const groupOf = (refusing: ReadonlySet<Route>, routes: readonly Route[]): string => {
  for (const [name, isInGroup] of Object.entries(GROUPS)) {
    if (routes.every((route) => isInGroup(route) === refusing.has(route))) return name;
  }
  throw new Error('A refusal is not given by any group of calls: add the group.');
};

const section = (heading: string, columns: Cells, rows: readonly Cells[]): string => {
  const rule = `|${'---|'.repeat(columns.length)}`;
  return [`## ${heading}`, '', line(columns), rule, ...rows.map(line)].join('\n');
};

const line = (cells: Cells): string => `| ${cells.join(' | ')} |`;

const code = (text: string): string => `\`${text}\``;

if (import.meta.main) await writeFile(PAGE, apiReference());
