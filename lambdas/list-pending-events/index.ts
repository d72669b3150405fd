import { allowingOrigin } from '../_runtime/cross-origin.ts';
import { parseEnvironment } from '../_runtime/environment.ts';
import { createDeps } from './deps.ts';
import { environmentSchema } from './env.ts';
import { createHandler } from './handler.ts';

export const handler = allowingOrigin(
  process.env.CORS_ORIGIN,
  createHandler(createDeps(parseEnvironment(environmentSchema, process.env))),
);
