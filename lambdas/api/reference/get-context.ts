import * as z from 'zod';
import type { Logger } from '../../runtime/reporting.ts';
import { pathParameter } from '../runtime/path-parameter.ts';
import { DAY_SECONDS, publicEndpoint, publicText } from '../runtime/public-endpoint.ts';
import { documentAnswers, PUBLIC_DOCUMENT, type Route } from '../runtime/route.ts';
import { CONTEXT_DOCUMENTS } from './context-documents.ts';

const contextResource = z
  .strictObject({ '@context': z.record(z.string(), z.unknown()) })
  .meta({ id: 'ContextDocument', description: 'A JSON-LD 1.1 context.' });

export const route = {
  ...PUBLIC_DOCUMENT,
  path: '/contexts/{document}',
  operationId: 'getContext',
  summary: 'Read a JSON-LD context',
  description:
    'What the members of a type’s documents mean, for JSON-LD processors: their `@context` leads here. `Accept` is not looked at.',
  answers: documentAnswers({
    description: 'The context.',
    schema: contextResource,
    mediaType: 'application/ld+json',
    examples: {
      signature: { summary: 'Of a signature', value: CONTEXT_DOCUMENTS.get('Signature.jsonld') },
    },
  }),
  refusals: ['not-found'],
} as const satisfies Route;

export const createHandler = (deps: {
  /** Context documents by file name. */
  documents: ReadonlyMap<string, object>;
  logger: Logger;
}) => {
  const texts = new Map(
    deps.documents.entries().map(([name, document]) => [
      name,
      publicText(JSON.stringify(document), {
        mediaType: 'application/ld+json',
        maxAgeSeconds: DAY_SECONDS,
      }),
    ]),
  );
  return publicEndpoint(deps.logger, (event) => texts.get(pathParameter(event, 'document') ?? ''));
};
