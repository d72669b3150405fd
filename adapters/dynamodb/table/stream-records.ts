import type * as z from 'zod';
import { UnreadableChange } from '../../../core/delivery/message-format.ts';

/** A record of a table's stream, or a part of it. Throws `UnreadableChange`. */
export const parsedChange = <Value>(schema: z.ZodType<Value>, given: unknown): Value => {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const paths = result.error.issues.map(({ path }) => path.join('.') || 'all of it');
  throw new UnreadableChange(`members are missing or wrong: ${paths.join(', ')}`);
};
