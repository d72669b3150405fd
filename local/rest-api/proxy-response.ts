import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';
import type { HttpAnswer } from '../http-server.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const ProxyResponse = z.strictObject({
  statusCode: z.coerce.number().int().min(100).max(599),
  headers: z.record(z.string(), scalar).nullish(),
  multiValueHeaders: z.record(z.string(), z.array(scalar)).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

/** Undefined when API Gateway would call it a malformed Lambda proxy response. */
export const proxyAnswer = (response: unknown): HttpAnswer | undefined => {
  const parsed = ProxyResponse.safeParse(response);
  if (!parsed.success) return undefined;
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = parsed.data;
  const all: [string, string][] = Object.entries(multiValueHeaders ?? {}).flatMap(
    ([name, values]) => values.map((value): [string, string] => [name, value]),
  );
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!(name in (multiValueHeaders ?? {}))) all.push([name, value]);
  }
  if (!all.some(([name]) => name.toLowerCase() === 'content-type')) {
    all.push(['content-type', 'application/json']);
  }
  if (!all.every(isValidHeader)) return undefined;
  return {
    status: statusCode,
    // API Gateway measures the body itself.
    headers: all.filter(([name]) => !/^(content-length|transfer-encoding)$/i.test(name)),
    body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
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
