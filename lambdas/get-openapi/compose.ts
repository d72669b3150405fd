import * as z from 'zod';
import { createOpenApiDocument } from '../_openapi/document.ts';
import { ROUTES } from '../_openapi/routes.ts';
import { text } from '../_runtime/environment.ts';
import { createLogger } from '../_runtime/reporting.ts';

export const environmentSchema = z.object({ SERVICE_VERSION: text });

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => ({
  document: createOpenApiDocument(ROUTES, { version: environment.SERVICE_VERSION }),
  logger: createLogger(),
});
