import * as z from 'zod';

const RESPONSE_HEADERS: Readonly<Record<string, z.ZodType>> = {
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
  'Retry-After': z.string().meta({
    description: 'How many seconds to wait before the call is repeated.',
    example: '60',
  }),
  'WWW-Authenticate': z.string().meta({
    description: 'How to authenticate.',
    example: 'Bearer',
  }),
};

/** The headers of an answer. Throws for a header that is not described here. */
export const headersOf = (names: readonly string[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, responseHeader(name)])));

const responseHeader = (name: string): z.ZodType => {
  const header = RESPONSE_HEADERS[name];
  if (header === undefined) throw new Error(`The response header ${name} is not described.`);
  return header;
};
