import { presentAccount } from '../../../../core/directory/account-resource.ts';
import type { PatchAccount } from '../../../../core/directory/change-account.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { apiEndpoint } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

export const createHandler = (deps: {
  patchAccount: PatchAccount;
  mailEnabled: boolean;
  logger: Logger;
}) =>
  apiEndpoint(route, deps.logger, async ({ principal, parameter, body }) => {
    const account = await deps.patchAccount(principal.account, parameter('account'), body);
    const { name, failureMail = true } = account;
    deps.logger.info('account.patched', { account: name, user: principal.user, failureMail });
    return { statusCode: 200, document: presentAccount(account, deps) };
  });
