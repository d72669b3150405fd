import type { RevokeAccessToken } from '../../../../core/directory/manage-access-tokens.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { apiEndpoint } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

export const createHandler = (deps: { revokeAccessToken: RevokeAccessToken; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async ({ principal: { account, user }, parameter }) => {
    const tokenId = parameter('token');
    await deps.revokeAccessToken(account, tokenId);
    deps.logger.info('access_token.revoked', { account, user, tokenId });
    return { statusCode: 204 };
  });
