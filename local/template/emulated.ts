import type { z } from 'zod';

/**
 * Reads what a schema knows of the template. The schemas know what the template of the local stage
 * has: more than that would be left out in silence.
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

/** @param what the value that stands at the path, or what is wrong with it */
export const notEmulated = (path: string, what: string): Error =>
  new Error(`${path}: the embedded run does not emulate this: ${what}`);
