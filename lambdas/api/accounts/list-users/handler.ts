import { accountPath } from '../../../../core/directory/account-resource.ts';
import type { UsersPage } from '../../../../core/directory/read-accounts.ts';
import { presentUser } from '../../../../core/directory/user-resource.ts';
import { presentCollection } from '../../../../core/json-ld/collection.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { apiEndpoint } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

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
