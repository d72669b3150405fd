import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';
import type { HttpAnswer } from '../http-server.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);

/** A response as our functions give it: without multi-value headers and without base64. */
const ProxyResponse = z.strictObject({
  statusCode: z.coerce.number().int().min(100).max(599),
  headers: z.record(z.string(), scalar).default({}),
  body: z.string().nullish(),
});

/** undefined when API Gateway would log "Malformed Lambda proxy response". */
export const proxyAnswer = (response: unknown): HttpAnswer | undefined => {
  const parsed = ProxyResponse.safeParse(response);
  if (!parsed.success) return undefined;
  const { statusCode, body } = parsed.data;
  const headers = Object.entries(parsed.data.headers);
  if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) {
    headers.push(['content-type', 'application/json']);
  }
  if (!headers.every(isValidHeader)) return undefined;
  return {
    status: statusCode,
    // API Gateway measures the body itself.
    headers: headers.filter(([name]) => !/^(content-length|transfer-encoding)$/i.test(name)),
    body: body ?? '',
  };
};

const isValidHeader = ([name, value]: [string, string]): boolean => {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
};
