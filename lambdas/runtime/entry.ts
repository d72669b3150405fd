import type * as z from 'zod';

/** The module of a function. The bundler makes the function's entry from it. */
export interface FunctionModule<Schema extends z.ZodType, Deps, Handler> {
  readonly environmentSchema: Schema;
  readonly compose: (environment: z.output<Schema>) => Deps;
  readonly createHandler: (deps: Deps) => Handler;
}

/** The handler that Lambda calls, composed with its dependencies at cold start. */
export const entry = <Schema extends z.ZodType, Deps, Handler>(
  environment: NodeJS.ProcessEnv,
  { environmentSchema, compose, createHandler }: FunctionModule<Schema, Deps, Handler>,
): Handler => createHandler(compose(parseEnvironment(environmentSchema, environment)));

/** Parses environment variables. Throws an error that names every variable that is wrong. */
export const parseEnvironment = <Schema extends z.ZodType>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
): z.output<Schema> => {
  const parsed = schema.safeParse(environment);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`Environment of the function is not usable. ${faults.join('; ')}`);
};
