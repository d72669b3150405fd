import { accountResource, presentAccount } from '../../../core/directory/account-resource.ts';
import { accountPatch, type PatchAccount } from '../../../core/directory/change-account.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { apiEndpoint } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';

export const route = {
  method: 'PATCH',
  path: '/accounts/{account}',
  access: 'admin',
  operationId: 'patchAccount',
  tag: 'Accounts',
  summary: 'Turn an account’s e-mails on or off',
  description:
    'A JSON Merge Patch ([RFC 7396](https://www.rfc-editor.org/rfc/rfc7396)) of the organisation’s own account.',
  body: {
    schema: accountPatch,
    mediaTypes: ['application/merge-patch+json'],
    examples: { off: { summary: 'Turn the e-mails off', value: { failureMail: false } } },
  },
  answers: [
    {
      status: 200,
      description: 'The account.',
      schema: accountResource,
      recorded: { off: 'Without e-mails' },
    },
  ],
  refusals: ['not-found'],
} as const satisfies Route;

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
