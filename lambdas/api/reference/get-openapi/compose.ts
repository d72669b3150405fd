import * as z from 'zod';
import { text } from '../../../runtime/environment.ts';
import { createLogger } from '../../../runtime/reporting.ts';
import { createOpenApiDocument } from '../../openapi/document.ts';
import { ROUTES } from '../../openapi/routes.ts';

export const environmentSchema = z.object({ SERVICE_VERSION: text });

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => ({
  document: createOpenApiDocument(ROUTES, { version: environment.SERVICE_VERSION }),
  logger: createLogger(),
});
