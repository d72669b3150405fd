import { parseEnvironment } from '../_runtime/environment.ts';
import { createDeps } from './deps.ts';
import { environmentSchema } from './env.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(createDeps(parseEnvironment(environmentSchema, process.env)));
