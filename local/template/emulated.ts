import type { z } from 'zod';

/**
 * Parses a value of the template, by a strict schema. The schemas know what the template of stage
 * `local` has. Throws when there is more, which the embedded run would otherwise silently ignore.
 *
 * @param where path of the value, for the error
 */
export const parseEmulated = <Value>(
  where: string,
  schema: z.ZodType<Value>,
  value: unknown,
): Value => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknownKey = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = [where, ...(issue?.path ?? []), ...unknownKey].join('.');
  throw notEmulated(path, issue?.message ?? 'unreadable');
};

/** @param what the value at the path, or what is wrong with the value */
export const notEmulated = (path: string, what: string): Error =>
  new Error(`${path}: the embedded run does not emulate this: ${what}`);
