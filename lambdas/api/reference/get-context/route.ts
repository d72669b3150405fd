import * as z from 'zod';
import { documentAnswers, PUBLIC_DOCUMENT, type Route } from '../../runtime/route.ts';
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
