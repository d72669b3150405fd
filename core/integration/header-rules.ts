import * as z from 'zod';
import type { EndpointHeaders } from './endpoint-headers.ts';

const MOST = 5;

const headerValue = z
  .string()
  .regex(
    /^[\x21-\x7E](?:[\x20-\x7E]{0,510}[\x21-\x7E])?$/,
    'must be 1 to 512 printable ASCII characters, without a space at the start or the end',
  );

/** A token (RFC 9110, 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;

/** Names are checked by `headerFaults`, which names each fault. */
export const endpointHeaders = z
  .record(z.string(), headerValue)
  .refine((headers) => Object.keys(headers).length <= MOST, `must be at most ${MOST} headers`)
  .meta({ maxProperties: MOST, propertyNames: { pattern: TOKEN.source } });

const NO_TOKEN = "must have a name of 1 to 64 letters, digits and characters of !#$%&'*+-.^_`|~";

const REFUSED: readonly (readonly [names: RegExp, why: string])[] = [
  [
    /^(?:host|content-type|content-length|user-agent|accept|accept-encoding|traceparent|tracestate|x-service-.*|webhook-.*)$/i,
    'the service sets it',
  ],
  [
    /^(?:content-encoding|transfer-encoding|connection|keep-alive|te|trailer|upgrade|http2-settings|expect)$/i,
    'it would change how HTTP transfers the request',
  ],
  [/^(?:cookie2?|set-cookie2?)$/i, 'the service does not keep a session'],
  [/^date$/i, 'it would have the same value in every request'],
  [/^(?:forwarded|via|proxy-.*|x-forwarded-.*)$/i, 'only proxies between us and you may set it'],
  [/^x-amz.*$/i, 'it is reserved for AWS'],
];

interface HeaderFault {
  readonly name: string;
  readonly detail: string;
}

/**
 * What is wrong with names as a caller wrote them, unless there are too many, which `endpointHeaders`
 * refuses. Members of JSON-LD are ignored.
 */
export const headerFaults = (written: readonly string[]): readonly HeaderFault[] => {
  const names = written.filter((name) => !name.startsWith('@'));
  if (names.length > MOST) return [];
  return names.flatMap((name, index) => {
    const isRepeated = names.slice(0, index).some((other) => isSameHeader(other, name));
    const detail = isRepeated
      ? 'must not be set twice: names are not case-sensitive'
      : nameFault(name);
    return detail === undefined ? [] : [{ name, detail }];
  });
};

const nameFault = (name: string): string | undefined => {
  // JavaScript would take `__proto__` for the prototype of an object.
  if (!TOKEN.test(name) || name === '__proto__') return NO_TOKEN;
  // Servers that pass headers on as variables, as CGI does, take `Content_Length` for `Content-Length`.
  const taken = name.replaceAll('_', '-');
  const [, why] = REFUSED.find(([names]) => names.test(taken)) ?? [];
  return why && `must not be set: ${why}`;
};

export const isSameHeader = (name: string, other: string): boolean =>
  name.toLowerCase() === other.toLowerCase();

export const headerNamed = <Value>(
  headers: EndpointHeaders<Value> | undefined,
  name: string,
): Value | undefined =>
  Object.entries(headers ?? {}).find(([other]) => isSameHeader(other, name))?.[1];
