import * as z from 'zod';
import { accountPath } from '../../../core/directory/account-resource.ts';
import type { UsersPage } from '../../../core/directory/read-accounts.ts';
import { presentUser, userCollection } from '../../../core/directory/user-resource.ts';
import { presentCollection } from '../../../core/json-ld/collection.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { apiEndpoint } from '../runtime/api-endpoint.ts';
import { cursorParameter, limitParameter } from '../runtime/query-parameters.ts';
import type { Route } from '../runtime/route.ts';

export const route = {
  method: 'GET',
  path: '/accounts/{account}/users',
  access: 'member',
  operationId: 'listUsers',
  tag: 'Accounts',
  summary: 'List the users of an account',
  description:
    'The users of any account of the token’s organisation, by identifier, without the users of the accounts below it.',
  query: z.strictObject({ limit: limitParameter, cursor: cursorParameter }),
  answers: [
    {
      status: 200,
      description: 'A page of the account’s users.',
      schema: userCollection,
      recorded: { all: 'An account with one user' },
    },
  ],
  refusals: ['not-found'],
} as const satisfies Route;

export const createHandler = (deps: { usersPage: UsersPage; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async ({ principal, parameter, query }) => {
    const account = parameter('account');
    const organisation = principal.account;
    const { users, next } = await deps.usersPage({ organisation, account, ...query });
    return {
      statusCode: 200,
      document: presentCollection({
        path: `${accountPath(account)}/users`,
        query,
        members: users.map(presentUser),
        next,
      }),
    };
  });
