import { expect } from 'vitest';
import type * as z from 'zod';
import { type ApiEventWishes, anApiEvent, call, documentOf } from './api-gateway-events.ts';

type Handler = Parameters<typeof call>[0];

/** The document of a success, which must be one that the route's description promises. */
export const documentFrom = async <Schema extends z.ZodType>(
  handler: Handler,
  schema: Schema,
  wishes: ApiEventWishes,
): Promise<z.output<Schema>> => {
  const result = await call(handler, anApiEvent(wishes));
  expect(result.statusCode).toBe(200);
  return schema.parse(documentOf(result));
};
