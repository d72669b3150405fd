import { z } from 'zod';
import { FunctionFailure } from '../functions/function-failure.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import type { HttpRequest } from '../http-server.ts';
import { matches, oneOrMore } from '../iam/statements.ts';
import type { Authorizer } from './api-definition.ts';

const Statement = z.object({
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: oneOrMore,
  Condition: z.undefined({ error: 'is not emulated' }).optional(),
});

export const PolicyDocument = z.object({
  Statement: z.union([Statement, z.array(Statement)]).transform((value) => [value].flat()),
});

export type PolicyDocument = z.infer<typeof PolicyDocument>;

const AuthorizerResult = z.object({
  principalId: z.string(),
  policyDocument: PolicyDocument,
  /** API Gateway gives each value to functions as text. */
  context: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))
    .default({}),
});

type AuthorizerResult = z.infer<typeof AuthorizerResult>;

type AuthorizationFault = 'UNAUTHORIZED' | 'ACCESS_DENIED' | 'AUTHORIZER_CONFIGURATION_ERROR';

export interface TokenAuthorizer {
  /** Resolves to the function's description of the caller, or to the reason for a refusal. */
  authorize(
    request: HttpRequest,
    methodArn: string,
  ): Promise<Record<string, string> | AuthorizationFault>;
}

/** Caches the function's answer for a token, for as long as the template says. */
export const createTokenAuthorizer = (
  { cacheSeconds }: Authorizer,
  pool: FunctionPool,
): TokenAuthorizer => {
  const cache = new Map<string, { result: AuthorizerResult; expiresAt: number }>();

  const resultFor = async (token: string, methodArn: string): Promise<AuthorizerResult> => {
    for (const [key, { expiresAt }] of cache) if (expiresAt <= Date.now()) cache.delete(key);
    const cached = cache.get(token);
    if (cached) return cached.result;
    const event = { type: 'TOKEN', authorizationToken: token, methodArn };
    const result = AuthorizerResult.parse(await pool.invoke(event, isUnauthorized));
    cache.set(token, { result, expiresAt: Date.now() + cacheSeconds * 1_000 });
    return result;
  };

  return {
    authorize: async ({ headers }, methodArn) => {
      if (!headers.authorization) return 'UNAUTHORIZED';
      try {
        const result = await resultFor(headers.authorization, methodArn);
        if (!allows(result.policyDocument, methodArn)) return 'ACCESS_DENIED';
        return { principalId: result.principalId, ...result.context };
      } catch (error) {
        const isRefusal = error instanceof FunctionFailure && isUnauthorized(error);
        return isRefusal ? 'UNAUTHORIZED' : 'AUTHORIZER_CONFIGURATION_ERROR';
      }
    },
  };
};

/** An authorizer refuses a token by throwing this error. */
const isUnauthorized = ({ message }: FunctionFailure): boolean => message === 'Unauthorized';

/**
 * Whether the policy lets a caller invoke a method. A `Deny` is stronger than an `Allow`; without
 * either, the method is denied.
 */
export const allows = (policy: PolicyDocument, methodArn: string): boolean => {
  const effects = policy.Statement.filter(
    ({ Action, Resource }) =>
      Action.some((pattern) => matches(pattern, 'execute-api:Invoke')) &&
      Resource.some((pattern) => matches(pattern, methodArn)),
  ).map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
};
