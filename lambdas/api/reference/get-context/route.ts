import * as z from 'zod';
import { NOT_MODIFIED, type Route } from '../../runtime/route.ts';
import { CONTEXT_DOCUMENTS } from './context-documents.ts';

const contextResource = z
  .strictObject({ '@context': z.record(z.string(), z.unknown()) })
  .meta({ id: 'ContextDocument', description: 'A JSON-LD 1.1 context.' });

export const route = {
  method: 'GET',
  path: '/contexts/{document}',
  access: 'public',
  operationId: 'getContext',
  tag: 'Reference',
  summary: 'Read a JSON-LD context',
  description:
    'What the members of a type’s documents mean, for JSON-LD processors: their `@context` leads here. `Accept` is not looked at.',
  requestHeaders: ['If-None-Match'],
  answers: [
    {
      status: 200,
      description: 'The context.',
      schema: contextResource,
      mediaType: 'application/ld+json',
      headers: ['ETag', 'Cache-Control'],
      examples: {
        signature: { summary: 'Of a signature', value: CONTEXT_DOCUMENTS.get('Signature.jsonld') },
      },
    },
    NOT_MODIFIED,
  ],
  refusals: ['not-found'],
} as const satisfies Route;
