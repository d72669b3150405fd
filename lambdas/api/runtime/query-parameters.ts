import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod';
import { isWhole, NOT_WHOLE } from '../../../core/event/readable-json.ts';
import { cursorAt } from '../../../core/json-ld/cursor.ts';
import { type Fault, Refusal } from '../../../core/refusal.ts';

const MAX_PAGE = 100;
const USUAL_PAGE = 20;

/** How many members a page of a collection has. */
export const limitParameter = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number)
  .pipe(z.number().min(1, 'must be at least 1').max(MAX_PAGE, `must be at most ${MAX_PAGE}`))
  .default(USUAL_PAGE)
  .meta({
    description: `The most members of a page: 1 to ${MAX_PAGE}, ${USUAL_PAGE} by default.`,
    example: USUAL_PAGE,
    // Describes the parameter to callers as a number, though it is parsed from a text.
    override: ({ jsonSchema }) => {
      delete jsonSchema.pattern;
      Object.assign(jsonSchema, {
        type: 'integer',
        minimum: 1,
        maximum: MAX_PAGE,
        default: USUAL_PAGE,
      });
    },
  });

/** Where a page begins, from `view.next` of the page before. */
export const cursorParameter = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,512}$/, 'is not a cursor of this API: take it from view.next')
  .optional()
  .meta({
    description: 'The cursor in the `view.next` of the page before. Any other text is `422`.',
    // As `examples` of the schema, which Swagger UI does not send.
    examples: [cursorAt('8Fq2LmZ0aBcD')],
  });

/** A bare id, or a path as in an answer: below the path that the API is served at, if any. */
export const integrationParameter = z
  .string()
  .regex(
    /^(?:(?:\/[^/]+)*\/integrations\/)?[0-9A-Za-z]{12}$/,
    'must be the id or the path of an integration',
  )
  .meta({ examples: ['8Fq2LmZ0aBcD'] })
  .transform((text) => text.slice(-12));

/**
 * Logs compare instants as text, which needs years of four digits. An offset can move an instant
 * out of these years.
 */
export const instantParameter = z.iso
  .datetime({
    offset: true,
    error: ({ input }) =>
      / \d\d:?\d\d$/.test(String(input))
        ? 'must be an RFC 3339 instant, and write its + as %2B'
        : 'must be an RFC 3339 instant',
    abort: true,
  })
  .refine(
    (text) => /^\d{4}-/.test(new Date(text).toISOString()),
    'must be in a year of four digits',
  );

interface Period {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Refines a query with `since` and `until`. */
export const SINCE_BEFORE_UNTIL: [(period: Period) => boolean, { path: string[]; error: string }] =
  [
    ({ since, until }) =>
      since === undefined || until === undefined || Date.parse(since) < Date.parse(until),
    { path: ['until'], error: 'must be later than since' },
  ];

/**
 * A request's query, parsed by a schema of strings. Throws a `validation` refusal that names each
 * parameter that is wrong.
 */
export const queryOf = (event: APIGatewayProxyEvent, schema: z.ZodObject | undefined): unknown => {
  if (schema === undefined) return undefined;
  const given = Object.entries(event.multiValueQueryStringParameters ?? {});
  const repeated = given.filter(([, values]) => values !== undefined && values.length > 1);
  if (repeated.length > 0) {
    throw invalidQuery(
      repeated.map(([parameter]) => ({ parameter, detail: 'must be given once only' })),
    );
  }
  const damaged = given.filter((texts) => !texts.flat().every((text) => isWhole(text ?? '')));
  if (damaged.length > 0) {
    throw invalidQuery(damaged.map(([parameter]) => ({ parameter, detail: NOT_WHOLE })));
  }
  const parsed = schema.safeParse(
    Object.fromEntries(given.map(([name, values]) => [name, values?.[0]])),
  );
  if (parsed.success) return parsed.data;
  throw invalidQuery(parsed.error.issues.flatMap(faultsOf));
};

const invalidQuery = (faults: readonly Fault[]): Refusal =>
  new Refusal('validation', 'A query parameter of the request is not valid.', faults);

const faultsOf = (issue: z.core.$ZodIssue): Fault[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((parameter) => ({ parameter, detail: 'is not a known parameter' }))
    : [{ parameter: issue.path.join('.'), detail: issue.message }];
