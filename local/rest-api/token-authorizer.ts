import { z } from 'zod';
import { FunctionFailure } from '../functions/function-failure.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import type { HttpRequest } from '../http-server.ts';
import type { Authorizer } from './api-definition.ts';
import { allows, PolicyDocument } from './policy.ts';

const AuthorizerResult = z.object({
  principalId: z.string(),
  policyDocument: PolicyDocument,
  context: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
});

type AuthorizerResult = z.infer<typeof AuthorizerResult>;

type Authorization =
  | { allowed: true; context: Record<string, string> }
  | { allowed: false; responseType: AuthorizationFault };

type AuthorizationFault = 'UNAUTHORIZED' | 'ACCESS_DENIED' | 'AUTHORIZER_CONFIGURATION_ERROR';

export interface TokenAuthorizer {
  authorize(request: HttpRequest, methodArn: string): Promise<Authorization>;
}

/** Asks the function once for a token, then for as long as the template says takes its word. */
export const createTokenAuthorizer = (
  authorizer: Authorizer,
  pool: FunctionPool,
  now: () => number = Date.now,
): TokenAuthorizer => {
  const cache = new Map<string, { result: AuthorizerResult; expiresAt: number }>();

  const resultFor = async (token: string, methodArn: string): Promise<AuthorizerResult> => {
    const cached = cache.get(token);
    if (cached && cached.expiresAt > now()) return cached.result;
    const event = { type: 'TOKEN', authorizationToken: token, methodArn };
    const result = AuthorizerResult.parse(await pool.invoke(event, isUnauthorized));
    for (const [key, { expiresAt }] of cache) if (expiresAt <= now()) cache.delete(key);
    cache.set(token, { result, expiresAt: now() + authorizer.cacheSeconds * 1_000 });
    return result;
  };

  return {
    authorize: async ({ headers }, methodArn) => {
      const token = headers.authorization;
      if (!token) return refused('UNAUTHORIZED');
      try {
        const { policyDocument, principalId, context } = await resultFor(token, methodArn);
        if (!allows(policyDocument, methodArn)) return refused('ACCESS_DENIED');
        return { allowed: true, context: { principalId, ...asStrings(context) } };
      } catch (error) {
        const refusal = error instanceof FunctionFailure && isUnauthorized(error);
        return refused(refusal ? 'UNAUTHORIZED' : 'AUTHORIZER_CONFIGURATION_ERROR');
      }
    },
  };
};

/** The one error that an authorizer throws to answer. */
const isUnauthorized = ({ message }: FunctionFailure): boolean => message === 'Unauthorized';

const refused = (responseType: AuthorizationFault): Authorization => ({
  allowed: false,
  responseType,
});

const asStrings = (context: AuthorizerResult['context'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(context).map(([name, value]) => [name, String(value)]));
