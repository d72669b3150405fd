import { presentAccount } from '../../../../core/directory/account-resource.ts';
import type { GetAccount } from '../../../../core/directory/read-accounts.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { apiEndpoint } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

export const createHandler = (deps: {
  getAccount: GetAccount;
  mailEnabled: boolean;
  logger: Logger;
}) =>
  apiEndpoint(route, deps.logger, async ({ principal, parameter }) => ({
    statusCode: 200,
    document: presentAccount(await deps.getAccount(principal.account, parameter('account')), deps),
  }));
