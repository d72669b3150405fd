import * as z from 'zod';
import type { Logger } from '../../runtime/reporting.ts';
import { openApiBelowBasePath } from '../openapi/below-base-path.ts';
import { basePath } from '../runtime/base-path.ts';
import {
  HOUR_SECONDS,
  type PublicText,
  publicEndpoint,
  publicText,
} from '../runtime/public-endpoint.ts';
import { documentAnswers, PUBLIC_DOCUMENT, type Route } from '../runtime/route.ts';

const openApiDocument = z
  .looseObject({ openapi: z.string(), info: z.looseObject({ version: z.string() }) })
  .meta({ id: 'OpenApiDocument', description: 'An OpenAPI 3.1 document.' });

export const route = {
  ...PUBLIC_DOCUMENT,
  path: '/openapi.json',
  operationId: 'getOpenapi',
  summary: 'Read this reference as an OpenAPI document',
  description:
    'OpenAPI 3.1, made of the schemas that requests are checked by. `Accept` is not looked at.',
  answers: documentAnswers({
    description: 'The document.',
    schema: openApiDocument,
    mediaType: 'application/json',
  }),
  refusals: [],
} as const satisfies Route;

export const createHandler = (deps: { createDocument: () => object; logger: Logger }) => {
  /** By the path that the API is served at: a stage's, or one that a domain name is mapped to. */
  const texts = new Map<string, PublicText>();
  const textBelow = (base: string): PublicText => {
    const text =
      texts.get(base) ??
      publicText(JSON.stringify(openApiBelowBasePath(deps.createDocument(), base)), {
        mediaType: 'application/json',
        maxAgeSeconds: HOUR_SECONDS,
      });
    texts.set(base, text);
    return text;
  };
  return publicEndpoint(deps.logger, (event) => textBelow(basePath(event)));
};
