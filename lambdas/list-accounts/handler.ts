import { presentAccount } from '../../core/directory/account-resource.ts';
import type { ListAccounts } from '../../core/directory/list-accounts.ts';
import { presentCollection } from '../../core/json-ld/collection.ts';
import { apiEndpoint } from '../_runtime/api-endpoint.ts';
import type { Logger } from '../_runtime/reporting.ts';
import { route } from './route.ts';

export const createHandler = (deps: { listAccounts: ListAccounts; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async ({ principal: { account: organisation }, query }) => {
    const { accounts, next } = await deps.listAccounts({ organisation, ...query });
    return {
      statusCode: 200,
      document: presentCollection({
        path: '/accounts',
        query,
        members: accounts.map(presentAccount),
        next,
      }),
    };
  });
