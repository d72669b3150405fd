import * as z from 'zod';
import {
  accessTokenCollection,
  presentAccessToken,
} from '../../../core/directory/access-token-resource.ts';
import type { ListAccessTokens } from '../../../core/directory/manage-access-tokens.ts';
import { presentCollection } from '../../../core/json-ld/collection.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { apiEndpoint } from '../runtime/api-endpoint.ts';
import { cursorParameter, limitParameter } from '../runtime/query-parameters.ts';
import type { Route } from '../runtime/route.ts';

export const route = {
  method: 'GET',
  path: '/{account_name}/access-tokens',
  access: 'member',
  operationId: 'listAccessTokens',
  tag: 'Access tokens',
  summary: 'List an account’s access tokens',
  description:
    'The tokens of all users, newest first, with those revoked or expired in the last 30 days, and without the sessions of console links. `account_name` is the account of the token. The tokens themselves are not shown.',
  query: z.strictObject({ limit: limitParameter, cursor: cursorParameter }),
  answers: [
    {
      status: 200,
      description: 'A page of the account’s access tokens.',
      schema: accessTokenCollection,
      recorded: { all: 'A token that was never used, one in use, and one that was revoked' },
    },
  ],
  refusals: ['not-found'],
} as const satisfies Route;

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
