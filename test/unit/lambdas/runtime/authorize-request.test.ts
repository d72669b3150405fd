import type { APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { accessTokenFrom } from '../../../../core/directory/access-token.ts';
import { type AccessTokens, buildAuthenticate } from '../../../../core/directory/authenticate.ts';
import type { IdentifiedUsers } from '../../../../core/directory/sign-in.ts';
import { createHandler } from '../../../../lambdas/authorize-request/handler.ts';
import { InMemoryAccessTokens } from '../../../support/directory/in-memory-access-tokens.ts';
import { untouchable } from '../../../support/untouchable.ts';

const TOKEN = accessTokenFrom(Buffer.alloc(32, 7));
const STAGE = 'arn:aws:execute-api:eu-central-1:000000000000:api123/dev';

const aRequest = (authorizationToken: string): APIGatewayTokenAuthorizerEvent => ({
  type: 'TOKEN',
  methodArn: `${STAGE}/GET/integrations/0123456789Ab`,
  authorizationToken,
});

type Ports = Parameters<typeof buildAuthenticate>[0];

const authorizing = (tokens: AccessTokens, signIn?: Ports['signIn']) =>
  createHandler({
    authenticate: buildAuthenticate({
      tokens,
      now: () => new Date('2026-11-20T12:00:00.000Z'),
      onUnnotedUse: (fault) => {
        throw fault;
      },
      ...(signIn && { signIn }),
    }),
  });

/** The gateway's answer to it is a 401. */
const DENIED = {
  principalId: 'unknown',
  policyDocument: {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect: 'Deny', Resource: `${STAGE}/*` }],
  },
};

describe('the authorizer', () => {
  const tokens = new InMemoryAccessTokens().issue(TOKEN, {
    user: 'usr_1',
    account: 'acme',
    role: 'member',
  });

  it('answers for every route of the stage, because the gateway caches it', async () => {
    expect(await authorizing(tokens)(aRequest(`Bearer ${TOKEN}`))).toEqual({
      principalId: 'usr_1',
      context: { user: 'usr_1', account: 'acme', role: 'member' },
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: `${STAGE}/*` }],
      },
    });
  });

  it('denies an unknown token every route of the stage, without an error', async () => {
    const unknown = accessTokenFrom(Buffer.alloc(32, 8));
    expect(await authorizing(tokens)(aRequest(`Bearer ${unknown}`))).toEqual(DENIED);
  });

  it.each(['', 'Bearer', 'Bearer mst_short', `Basic ${TOKEN}`, TOKEN, 'Bearer a b', '\0'])(
    'denies the header %j without looking for a token',
    async (header) => {
      const handler = authorizing(untouchable<AccessTokens>('the store of tokens'));
      expect(await handler(aRequest(header))).toEqual(DENIED);
    },
  );

  it('denies the token of a person who signed in where nobody can', async () => {
    const handler = authorizing(untouchable<AccessTokens>('the store of tokens'));
    expect(await handler(aRequest('Bearer a.b.c'))).toEqual(DENIED);
  });

  it('answers 500, not 401, when the keys of the sign-in cannot be read', async () => {
    const handler = authorizing(untouchable<AccessTokens>('the store of tokens'), {
      tokens: { verify: () => Promise.reject(new Error('no keys')) },
      users: untouchable<IdentifiedUsers>('the users'),
    });
    await expect(handler(aRequest('Bearer a.b.c'))).rejects.toThrow(/^no keys$/);
  });

  it('answers 500, not 401, when the tokens cannot be read', async () => {
    const failing = new InMemoryAccessTokens();
    failing.findPrincipal = () => Promise.reject(new Error('throttled'));
    await expect(authorizing(failing)(aRequest(`Bearer ${TOKEN}`))).rejects.toThrow(/^throttled$/);
  });
});
