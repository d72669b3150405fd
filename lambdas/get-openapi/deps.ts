import type { z } from 'zod';
import { createOpenApiDocument } from '../_openapi/document.ts';
import { ROUTES } from '../_openapi/routes.ts';
import { createLogger } from '../_runtime/logger.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = ({ SERVICE_VERSION }: z.output<typeof environmentSchema>) => ({
  document: createOpenApiDocument(ROUTES, { version: SERVICE_VERSION }),
  logger: createLogger(),
});
