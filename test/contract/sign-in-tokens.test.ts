import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as source from '../../adapters/jwt/jwks-sign-in-tokens.ts';
import { importBundled } from '../support/adapters/bundled-module.ts';
import {
  anEllipticKey,
  anRsaKey,
  CLIENT_ID,
  jwtSignedBy,
  jwtWithMac,
  jwtWithSignature,
  type SignInProvider,
  startSignInProvider,
} from '../support/sign-in/sign-in-provider.ts';

const KEY = anRsaKey('key-1');
const OTHER_KEY = anRsaKey('key-2');
const ELLIPTIC_KEY = anEllipticKey('key-3');
const RS256 = { alg: 'RS256', kid: KEY.kid };
const NOW = Math.floor(Date.now() / 1_000);

const bundled: typeof source = await importBundled('adapters/jwt/jwks-sign-in-tokens.ts');

describe.each([
  ['by the source', source],
  ['as bundled in the function', bundled],
])('%s:', (_how, { JwksSignInTokens }) => {
  const start = async () => {
    const provider = await startSignInProvider(KEY);
    return { provider, tokens: new JwksSignInTokens(provider) };
  };

  describe('the access token of a sign-in', () => {
    it('gives issuer and subject of who signed in', async () => {
      const { provider, tokens } = await start();
      expect(await tokens.verify(provider.accessToken())).toEqual({
        issuer: provider.issuer,
        subject: 'sub-ada',
      });
    });

    it('is verified by keys that are read once', async () => {
      const { provider, tokens } = await start();
      await Promise.all([
        tokens.verify(provider.accessToken()),
        tokens.verify(provider.accessToken()),
      ]);
      await tokens.verify(provider.accessToken({ sub: 'sub-bob' }));
      expect(provider.requests()).toBe(1);
    });

    it('may be signed by a key that the provider published later', async () => {
      const { provider, tokens } = await start();
      await tokens.verify(provider.accessToken());
      provider.publish(KEY, OTHER_KEY);
      const header = { alg: 'RS256', kid: OTHER_KEY.kid };
      const jwt = jwtSignedBy(OTHER_KEY.privateKey, { header, claims: provider.claims() });
      expect(await tokens.verify(jwt)).toMatchObject({ subject: 'sub-ada' });
    });

    const refused: Record<string, (provider: SignInProvider) => string> = {
      'signed by another key under the name of the provider’s': ({ claims }) =>
        jwtSignedBy(OTHER_KEY.privateKey, { header: RS256, claims: claims() }),
      'signed by a key that the provider does not have': ({ claims }) =>
        jwtSignedBy(OTHER_KEY.privateKey, {
          header: { alg: 'RS256', kid: OTHER_KEY.kid },
          claims: claims(),
        }),
      'without a key’s name': ({ claims }) =>
        jwtSignedBy(KEY.privateKey, { header: { alg: 'RS256' }, claims: claims() }),
      'with a key of its own in the header': ({ claims }) =>
        jwtSignedBy(OTHER_KEY.privateKey, {
          header: { ...RS256, jwk: OTHER_KEY.publicKey.export({ format: 'jwk' }) },
          claims: claims(),
        }),
      'of algorithm none': ({ claims }) =>
        jwtWithSignature('', { alg: 'none', kid: KEY.kid }, claims()),
      'of algorithm none with something for a signature': ({ claims }) =>
        jwtWithSignature('AA', { alg: 'none', kid: KEY.kid }, claims()),
      'without an algorithm': ({ claims }) =>
        jwtSignedBy(KEY.privateKey, { header: { kid: KEY.kid }, claims: claims() }),
      'with a MAC by the public key': ({ claims }) =>
        jwtWithMac(
          String(KEY.publicKey.export({ format: 'pem', type: 'spki' })),
          { alg: 'HS256', kid: KEY.kid },
          claims(),
        ),
      'of algorithm RS512': ({ claims }) =>
        jwtSignedBy(KEY.privateKey, {
          header: { ...RS256, alg: 'RS512' },
          claims: claims(),
          hash: 'sha512',
        }),
      'of algorithm ES256, by a key that the provider has': (provider) => {
        provider.publish(KEY, ELLIPTIC_KEY);
        return jwtSignedBy(ELLIPTIC_KEY.privateKey, {
          header: { alg: 'ES256', kid: ELLIPTIC_KEY.kid },
          claims: provider.claims(),
        });
      },
      'with the claims of another token': ({ accessToken }) => {
        const [header, , signature] = accessToken().split('.');
        const [, claims] = accessToken({ sub: 'sub-eve' }).split('.');
        return `${header}.${claims}.${signature}`;
      },
      'for another client': ({ accessToken }) => accessToken({ client_id: 'shop' }),
      'for no client': ({ accessToken }) => accessToken({ client_id: undefined }),
      'for the client as its audience only': ({ accessToken }) =>
        accessToken({ client_id: undefined, aud: CLIENT_ID }),
      'of another issuer': ({ accessToken }) => accessToken({ iss: 'https://issuer.example.com' }),
      'without an issuer': ({ accessToken }) => accessToken({ iss: undefined }),
      'that is expired': ({ accessToken }) => accessToken({ exp: NOW - 60 }),
      'that never expires': ({ accessToken }) => accessToken({ exp: undefined }),
      'that is not valid yet': ({ accessToken }) => accessToken({ nbf: NOW + 600 }),
      'that is an id token': ({ accessToken }) => accessToken({ token_use: 'id', aud: CLIENT_ID }),
      'without a use': ({ accessToken }) => accessToken({ token_use: undefined }),
      'without a subject': ({ accessToken }) => accessToken({ sub: undefined }),
      'with an empty subject': ({ accessToken }) => accessToken({ sub: '' }),
      'with a subject that is no text': ({ accessToken }) => accessToken({ sub: 7 }),
      'with a subject that is too long': ({ accessToken }) => accessToken({ sub: 'x'.repeat(256) }),
      'without a signature': ({ accessToken }) => accessToken().replace(/[^.]+$/, ''),
      'of two parts': ({ accessToken }) => accessToken().replace(/\.[^.]+$/, ''),
    };

    it.each(Object.entries(refused))('is refused when it is one %s', async (_what, tokenOf) => {
      const { provider, tokens } = await start();
      // First with keys that are not read yet, then with keys that are.
      const jwt = tokenOf(provider);
      expect(await tokens.verify(jwt)).toBeUndefined();
      expect(await tokens.verify(provider.accessToken())).toBeDefined();
      expect(await tokens.verify(jwt)).toBeUndefined();
    });

    it('is refused as any junk, without a request for keys', async () => {
      const { provider, tokens } = await start();
      const part = fc.oneof(
        fc.base64String(),
        fc.json().map((text) => Buffer.from(text).toString('base64url')),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.tuple(part, part, part).map((parts) => parts.join('.')),
          ),
          async (junk) => {
            expect(await tokens.verify(junk)).toBeUndefined();
          },
        ),
      );
      expect(provider.requests()).toBe(0);
    });

    it('causes one request for keys at most by naming unknown keys', async () => {
      const { provider, tokens } = await start();
      await tokens.verify(provider.accessToken());
      for (const kid of ['a', 'b', 'c', 'd']) {
        const header = { alg: 'RS256', kid };
        const jwt = jwtSignedBy(OTHER_KEY.privateKey, { header, claims: provider.claims() });
        expect(await tokens.verify(jwt)).toBeUndefined();
      }
      expect(provider.requests()).toBe(2);
    });
  });

  describe('the keys of a sign-in', () => {
    it.each([
      ['are answered with 500', 500, '{"keys":[]}'],
      ['are answered with 404', 404, ''],
      ['are a redirect', 302, ''],
      ['are not JSON', 200, '<html>'],
      ['are not a set of keys', 200, '{"keys":"none"}'],
    ])(
      'are our fault, not the caller’s, when they %s, and are read again',
      async (_what, status, body) => {
        const provider = await startSignInProvider(KEY);
        const healthy = await startSignInProvider(KEY);
        const tokens = new JwksSignInTokens(provider);
        provider.answer((_request, response) =>
          response.writeHead(status, { Location: healthy.jwksUri }).end(body),
        );
        const jwt = provider.accessToken();
        const fault = await tokens.verify(jwt).catch((thrown: unknown) => thrown);
        expect(fault).toBeInstanceOf(Error);
        for (const part of jwt.split('.')) expect(String(fault)).not.toContain(part);

        const keys = [{ ...KEY.publicKey.export({ format: 'jwk' }), kid: KEY.kid }];
        provider.answer((_request, response) => response.end(JSON.stringify({ keys })));
        expect(await tokens.verify(jwt)).toMatchObject({ subject: 'sub-ada' });
      },
    );

    it('are our fault when the provider does not answer in time', async () => {
      const provider = await startSignInProvider(KEY);
      provider.answer(() => {});
      const tokens = new JwksSignInTokens(provider, { jwksDeadlineMs: 20 });
      await expect(tokens.verify(provider.accessToken())).rejects.toThrow(/timeout/);
    });

    it('are our fault when the connection is refused', async () => {
      const { provider } = await start();
      const tokens = new JwksSignInTokens({ ...provider, jwksUri: 'http://127.0.0.1:1/jwks' });
      await expect(tokens.verify(provider.accessToken())).rejects.toThrow();
    });
  });
});
