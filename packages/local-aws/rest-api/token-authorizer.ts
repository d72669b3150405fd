import { z } from 'zod';
import { FunctionFailure } from '../functions/function-instance.ts';
import type { HttpRequest } from '../http-server.ts';
import { type Access, allowedBy, Statement } from '../iam/statements.ts';
import type { Authorizer } from './api-definition.ts';

const PolicyStatement = Statement.extend({ Effect: z.enum(['Allow', 'Deny']) });

const AuthorizerResult = z.object({
  principalId: z.string(),
  policyDocument: z.object({ Statement: z.array(PolicyStatement) }),
  /** API Gateway gives each value to functions as text. */
  context: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))
    .default({}),
});

type AuthorizerResult = z.infer<typeof AuthorizerResult>;

type AuthorizationFault = 'UNAUTHORIZED' | 'ACCESS_DENIED' | 'AUTHORIZER_CONFIGURATION_ERROR';

export interface TokenAuthorizer {
  authorize(
    request: HttpRequest,
    methodArn: string,
  ): Promise<Record<string, string> | AuthorizationFault>;
}

/** Caches the function's answer for a token, for as long as the template says. */
export const createTokenAuthorizer = (
  { cacheSeconds }: Authorizer,
  invoke: (event: unknown) => Promise<unknown>,
): TokenAuthorizer => {
  const cache = new Map<string, { result: AuthorizerResult; expiresAt: number }>();

  const resultFor = async (token: string, methodArn: string): Promise<AuthorizerResult> => {
    for (const [key, { expiresAt }] of cache) if (expiresAt <= Date.now()) cache.delete(key);
    const cached = cache.get(token);
    if (cached) return cached.result;
    const event = { type: 'TOKEN', authorizationToken: token, methodArn };
    const result = AuthorizerResult.parse(await invoke(event));
    cache.set(token, { result, expiresAt: Date.now() + cacheSeconds * 1_000 });
    return result;
  };

  return {
    authorize: async ({ headers }, methodArn) => {
      if (!headers.authorization) return 'UNAUTHORIZED';
      try {
        const result = await resultFor(headers.authorization, methodArn);
        const access = { action: 'execute-api:Invoke', resource: methodArn };
        if (!isAllowed(result.policyDocument.Statement, access)) return 'ACCESS_DENIED';
        return { principalId: result.principalId, ...result.context };
      } catch (error) {
        const isRefusal = error instanceof FunctionFailure && error.message === 'Unauthorized';
        return isRefusal ? 'UNAUTHORIZED' : 'AUTHORIZER_CONFIGURATION_ERROR';
      }
    },
  };
};

/** A statement that denies wins over all that allow. */
const isAllowed = (
  statements: readonly z.infer<typeof PolicyStatement>[],
  access: Access,
): boolean => {
  const { Allow = [], Deny = [] } = Object.groupBy(statements, ({ Effect }) => Effect);
  return allowedBy(Deny, access) === undefined && allowedBy(Allow, access) !== undefined;
};
