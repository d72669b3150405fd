import { accountResource, presentAccount } from '../../../core/directory/account-resource.ts';
import type { GetAccount } from '../../../core/directory/read-accounts.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { apiEndpoint } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';

export const route = {
  method: 'GET',
  path: '/accounts/{account}',
  access: 'member',
  operationId: 'getAccount',
  tag: 'Accounts',
  summary: 'Get an account',
  description: 'Any account of the token’s organisation.',
  answers: [
    {
      status: 200,
      description: 'The account.',
      schema: accountResource,
      recorded: { below: 'An account below the organisation’s own' },
    },
  ],
  refusals: ['not-found'],
} as const satisfies Route;

export const createHandler = (deps: {
  getAccount: GetAccount;
  mailEnabled: boolean;
  logger: Logger;
}) =>
  apiEndpoint(route, deps.logger, async ({ principal, parameter }) => ({
    statusCode: 200,
    document: presentAccount(await deps.getAccount(principal.account, parameter('account')), deps),
  }));
