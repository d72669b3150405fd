import {
  accessTokenPath,
  presentAccessToken,
} from '../../../../core/directory/access-token-resource.ts';
import type { CreateAccessToken } from '../../../../core/directory/manage-access-tokens.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { apiEndpoint } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

export const createHandler = (deps: { createAccessToken: CreateAccessToken; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async ({ principal, body }) => {
    const { token, issued } = await deps.createAccessToken(principal, body);
    const { account, user, id, role } = issued;
    deps.logger.info('access_token.created', { account, user, tokenId: id, role });
    return {
      statusCode: 201,
      document: presentAccessToken(issued, token),
      location: accessTokenPath(issued),
    };
  });
