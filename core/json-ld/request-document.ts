import type * as z from 'zod';
import { type Fault, Refusal } from '../refusal.ts';

/** States in JSON Schema that `parseRequestDocument` ignores JSON-LD members in every object. */
export const IGNORES_JSON_LD = {
  patternProperties: { '^@': { description: 'JSON-LD members are ignored.' } },
};

interface RequestDocument {
  /** The kind of document, as the refusal calls it. */
  readonly name: string;
  /** The faults by rules that the schema does not have. */
  readonly faults?: readonly Fault[];
}

/** Ignores members that begin with `@`. Throws a `validation` refusal with every wrong member. */
export const parseRequestDocument = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  { name, faults = [] }: RequestDocument,
): z.output<Schema> => {
  const parsed = schema.safeParse(withoutJsonLd(value), {
    error: (issue) => (issue.code === 'invalid_type' ? typeFault(issue) : undefined),
  });
  if (parsed.success && faults.length === 0) return parsed.data;
  throw new Refusal('validation', `The request body is not a valid ${name}.`, [
    ...(parsed.error?.issues.flatMap(faultsOf) ?? []),
    ...faults,
  ]);
};

const withoutJsonLd = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([key]) => !key.startsWith('@'))
          .map(([key, member]) => [key, withoutJsonLd(member)]),
      )
    : value;

const typeFault = ({ expected, input }: { expected?: string; input?: unknown }): string =>
  input === undefined
    ? 'is required'
    : `must be ${expected === 'object' || expected === 'record' ? 'an object' : `a ${expected}`}`;

const faultsOf = (issue: z.core.$ZodIssue): Fault[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({
        pointer: pointerTo([...issue.path, key]),
        detail: 'is not a known member',
      }))
    : [{ pointer: pointerTo(issue.path), detail: issue.message }];

/** RFC 6901. */
export const pointerTo = (path: readonly PropertyKey[]): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
