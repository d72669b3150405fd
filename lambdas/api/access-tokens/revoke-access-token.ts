import type { RevokeAccessToken } from '../../../core/directory/manage-access-tokens.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { apiEndpoint } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';

export const route = {
  method: 'DELETE',
  path: '/{account_name}/access-tokens/{token}',
  access: 'admin',
  operationId: 'revokeAccessToken',
  tag: 'Access tokens',
  summary: 'Revoke an access token',
  description:
    'The token of any user of the account; a member’s token may revoke itself. `account_name` is the account of the token that you call with. The API may accept it for 60 seconds more, and lists it for 30 days. You can repeat the call.',
  answers: [{ status: 204, description: 'It is revoked.' }],
  refusals: ['not-found'],
} as const satisfies Route;

export const createHandler = (deps: { revokeAccessToken: RevokeAccessToken; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async ({ principal: { account, user }, parameter }) => {
    const tokenId = parameter('token');
    await deps.revokeAccessToken(account, tokenId);
    deps.logger.info('access_token.revoked', { account, user, tokenId });
    return { statusCode: 204 };
  });
