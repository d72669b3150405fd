import { accountResource } from '../../../../core/directory/account-resource.ts';
import { accountPatch } from '../../../../core/directory/change-account.ts';
import type { Route } from '../../runtime/route.ts';
import { organisationAccount } from '../directory-examples.ts';

export const route = {
  method: 'PATCH',
  path: '/accounts/{account}',
  access: 'admin',
  operationId: 'patchAccount',
  tag: 'Accounts',
  summary: 'Switch an account’s e-mails on or off',
  description:
    'A JSON Merge Patch ([RFC 7396](https://www.rfc-editor.org/rfc/rfc7396)) of the organisation’s own account.',
  body: {
    schema: accountPatch,
    mediaTypes: ['application/merge-patch+json'],
    examples: { off: { summary: 'Switch the e-mails off', value: { failureMail: false } } },
  },
  answers: [
    {
      status: 200,
      description: 'The account.',
      schema: accountResource,
      examples: {
        off: { summary: 'Without e-mails', value: { ...organisationAccount, failureMail: false } },
      },
    },
  ],
  refusals: ['not-found'],
} as const satisfies Route;
