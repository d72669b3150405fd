import { presentAccessToken } from '../../../../core/directory/access-token-resource.ts';
import type { ListAccessTokens } from '../../../../core/directory/manage-access-tokens.ts';
import { presentCollection } from '../../../../core/json-ld/collection.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { apiEndpoint } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

export const createHandler = (deps: { listAccessTokens: ListAccessTokens; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async ({ principal: { account }, query }) => {
    const { tokens, next } = await deps.listAccessTokens({ account, ...query });
    return {
      statusCode: 200,
      document: presentCollection({
        path: `/${account}/access-tokens`,
        query,
        members: tokens.map((token) => presentAccessToken(token)),
        next,
      }),
    };
  });
