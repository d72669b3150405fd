import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

type Claims = Readonly<Record<string, unknown>>;

const base64url = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/** What a signature is made over: header and claims. */
const signingInput = (header: Claims, claims: Claims): string =>
  `${base64url(header)}.${base64url(claims)}`;

/** A JSON Web Token that says in its header how it is signed, truly or not. */
export const jwtSignedBy = (
  key: KeyObject,
  { header, claims, hash = 'sha256' }: { header: Claims; claims: Claims; hash?: string },
): string => {
  const input = signingInput(header, claims);
  const signature = sign(hash, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
};

/** A token whose signature is a MAC by a text that anybody may know, such as a public key. */
export const jwtWithMac = (secret: string, header: Claims, claims: Claims): string => {
  const input = signingInput(header, claims);
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
};

/** A token with the signature text as it is, such as none. */
export const jwtWithSignature = (signature: string, header: Claims, claims: Claims): string =>
  `${signingInput(header, claims)}.${signature}`;

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export const anRsaKey = (kid: string): SigningKey => ({
  kid,
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }),
});

export const anEllipticKey = (kid: string): SigningKey => ({
  kid,
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }),
});

export const CLIENT_ID = 'console';

/** An OpenID provider's signing, and a server on loopback that publishes its keys. */
export interface SignInProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly jwksUri: string;
  readonly key: SigningKey;
  /** How often the keys were asked for. */
  readonly requests: () => number;
  publish(...keys: readonly SigningKey[]): void;
  /** From now on the server answers like this. */
  answer(listener: RequestListener): void;
  /** The claims of the console's access token, valid for an hour. */
  claims(changed?: Claims): Claims;
  /** The console's access token; a claim that is undefined is left out. */
  accessToken(changed?: Claims): string;
}

/** `key`: made beforehand, because making a key takes long. */
export const startSignInProvider = async (key: SigningKey): Promise<SignInProvider> => {
  let requests = 0;
  let published: readonly SigningKey[] = [key];
  let listener: RequestListener = (_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ keys: published.map(jwkOf) }));
  };
  const server = createServer((request, response) => {
    requests += 1;
    listener(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const claims = (changed: Claims = {}): Claims => ({
    iss: issuer,
    sub: 'sub-ada',
    client_id: CLIENT_ID,
    token_use: 'access',
    iat: seconds(),
    exp: seconds() + 3_600,
    ...changed,
  });
  return {
    issuer,
    clientId: CLIENT_ID,
    jwksUri: `${issuer}/jwks`,
    key,
    requests: () => requests,
    publish: (...keys) => {
      published = keys;
    },
    answer: (answering) => {
      listener = answering;
    },
    claims,
    accessToken: (changed) =>
      jwtSignedBy(key.privateKey, {
        header: { alg: 'RS256', kid: key.kid },
        claims: claims(changed),
      }),
  };
};

/** Without `alg`: the verifier has to insist on the algorithm by itself. */
const jwkOf = ({ kid, publicKey }: SigningKey) => ({
  ...publicKey.export({ format: 'jwk' }),
  kid,
  use: 'sig',
});

const seconds = (): number => Math.floor(Date.now() / 1_000);
