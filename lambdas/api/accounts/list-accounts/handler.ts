import { presentAccount } from '../../../../core/directory/account-resource.ts';
import type { AccountsPage } from '../../../../core/directory/read-accounts.ts';
import { presentCollection } from '../../../../core/json-ld/collection.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { apiEndpoint } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

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
