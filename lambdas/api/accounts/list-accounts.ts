import * as z from 'zod';
import { accountCollection, presentAccount } from '../../../core/directory/account-resource.ts';
import type { AccountsPage } from '../../../core/directory/read-accounts.ts';
import { presentCollection } from '../../../core/json-ld/collection.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { apiEndpoint } from '../runtime/api-endpoint.ts';
import { cursorParameter, limitParameter } from '../runtime/query-parameters.ts';
import type { Route } from '../runtime/route.ts';

export const route = {
  method: 'GET',
  path: '/accounts',
  access: 'member',
  operationId: 'listAccounts',
  tag: 'Accounts',
  summary: 'List the accounts of the organisation',
  description:
    'The organisation’s own account first, then the accounts below it by name. `parent` is the account above.',
  query: z.strictObject({ limit: limitParameter, cursor: cursorParameter }),
  answers: [
    {
      status: 200,
      description: 'A page of the organisation’s accounts.',
      schema: accountCollection,
      recorded: { all: 'An organisation with an account below its own' },
    },
  ],
  refusals: [],
} as const satisfies Route;

export const createHandler = (deps: {
  accountsPage: AccountsPage;
  mailEnabled: boolean;
  logger: Logger;
}) =>
  apiEndpoint(route, deps.logger, async ({ principal: { account: organisation }, query }) => {
    const { accounts, next } = await deps.accountsPage({ organisation, ...query });
    return {
      statusCode: 200,
      document: presentCollection({
        path: '/accounts',
        query,
        members: accounts.map((account) => presentAccount(account, deps)),
        next,
      }),
    };
  });
