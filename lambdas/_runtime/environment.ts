import * as z from 'zod';

/** A non-empty string: a table name, a queue URL. */
export const text = z.string().min(1);

/** A whole number of milliseconds, days …, written in decimal as environment variables are. */
export const positiveInteger = z
  .string()
  .regex(/^[1-9]\d*$/, 'must be a positive whole number')
  .transform(Number);

export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** Parses the process environment once, at cold start. Throws naming every variable that is wrong. */
export const parseEnvironment = <Schema extends z.ZodType>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
): z.output<Schema> => {
  const parsed = schema.safeParse(environment);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`Environment of the function is not usable. ${faults.join('; ')}`);
};
