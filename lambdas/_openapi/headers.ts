import * as z from 'zod';

const RESPONSE_HEADERS = {
  ETag: z.string().meta({
    description: 'Of the integration’s settings (not of its `status`), or of the public document.',
    example: '"8Fq2LmZ0aBcD-1"',
  }),
  Location: z.string().meta({
    description: 'Path of what was created.',
    example: '/integrations/8Fq2LmZ0aBcD',
  }),
  'Cache-Control': z.string().meta({
    description: 'How long the document may be kept.',
    example: 'public, max-age=86400',
  }),
  'WWW-Authenticate': z.string().meta({
    description: 'How to authenticate.',
    example: 'Bearer',
  }),
} as const;

export const headersOf = (names: readonly (keyof typeof RESPONSE_HEADERS)[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, RESPONSE_HEADERS[name]])));
