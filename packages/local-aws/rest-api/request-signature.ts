import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { REGION } from '../arn.ts';
import type { HttpRequest } from '../http-server.ts';

/** A session of IAM that calls the API. */
export interface ApiCaller {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Such as `arn:aws:sts::000000000000:assumed-role/<role>/<session>`. */
  readonly userArn: string;
}

type SignedRequest = Pick<HttpRequest, 'method' | 'path' | 'query' | 'headers' | 'body'>;

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=(?<key>[^/]+)\/(?<day>\d{8})\/(?<region>[^/]+)\/(?<service>[^/]+)\/aws4_request, *SignedHeaders=(?<signed>[a-z0-9;-]+), *Signature=(?<signature>[0-9a-f]{64})$/;

const MOST_SKEW_MS = 5 * 60_000;

/**
 * Who signed a request (Signature Version 4); undefined without a valid signature.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export const signerOf = (
  request: SignedRequest,
  callers: readonly ApiCaller[],
  nowMs = Date.now(),
): ApiCaller | undefined => {
  const { key, day, region, service, signed, signature } =
    AUTHORIZATION.exec(request.headers.authorization ?? '')?.groups ?? {};
  const caller = callers.find(({ accessKeyId }) => accessKeyId === key);
  const at = String(request.headers['x-amz-date']);
  if (!caller || !day || !signed || !signature) return undefined;
  if (region !== REGION || service !== 'execute-api' || !at.startsWith(day)) return undefined;
  if (!(Math.abs(instantOf(at) - nowMs) <= MOST_SKEW_MS)) return undefined;
  const names = signed.split(';');
  if (!names.includes('host') || !names.includes('x-amz-date')) return undefined;
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical(request, names))].join('\n');
  const signingKey = [day, region, service, 'aws4_request'].reduce<Buffer | string>(
    (given, part) => hmac(given, part),
    `AWS4${caller.secretAccessKey}`,
  );
  const isRight = timingSafeEqual(hmac(signingKey, text), Buffer.from(signature, 'hex'));
  return isRight ? caller : undefined;
};

/** `20261120T120000Z` */
const instantOf = (text: string): number =>
  Date.parse(text.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));

const canonical = ({ method, path, query, headers, body }: SignedRequest, names: string[]) =>
  [
    method,
    // As it was sent, which is encoded once already.
    path.split('/').map(encode).join('/'),
    [...query]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .toSorted()
      .join('&'),
    ...names.map(
      (name) =>
        `${name}:${String(headers[name] ?? '')
          .trim()
          .replaceAll(/ +/g, ' ')}`,
    ),
    '',
    names.join(';'),
    sha256(body),
  ].join('\n');

const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();
