import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Claims, jwtSignedBy } from './jwt.ts';

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
