import {
  accessTokenDocument,
  accessTokenPath,
  accessTokenResource,
  presentAccessToken,
} from '../../../core/directory/access-token-resource.ts';
import type { CreateAccessToken } from '../../../core/directory/manage-access-tokens.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { apiEndpoint } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';

export const route = {
  method: 'POST',
  path: '/{account_name}/access-tokens',
  access: 'admin',
  operationId: 'createAccessToken',
  tag: 'Access tokens',
  summary: 'Create an access token',
  description: [
    'For the calling user. `account_name` is the account of the token that you call with.',
    'A token that expires creates only tokens that expire no later.',
    'Only this answer shows the new `token`, which the service does not store: keep it. If the answer is lost, revoke the token and create another. There is no `Idempotency-Key`.',
  ].join('\n\n'),
  body: {
    schema: accessTokenDocument,
    examples: {
      member: {
        summary: 'For a program that reads',
        value: { name: 'Reports', role: 'member' },
      },
      expiring: {
        summary: 'For a task that ends',
        value: { name: 'Import', role: 'admin', expiresAt: '2099-12-31T00:00:00Z' },
      },
    },
  },
  answers: [
    {
      status: 201,
      description: 'The access token, with the `token` itself.',
      schema: accessTokenResource,
      headers: ['Location'],
      recorded: { member: 'A token that reads', expiring: 'A token that expires' },
    },
  ],
  refusals: ['not-found', 'access-token-quota'],
} as const satisfies Route;

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
