import * as z from 'zod';
import { IGNORES_JSON_LD, parseRequestDocument } from '../json-ld/request-document.ts';
import { type Account, type Accounts, isOrganisation } from './account.ts';
import { buildGetAccount } from './read-accounts.ts';

export const accountPatch = z
  .strictObject({
    failureMail: z.boolean().optional().meta({
      description: 'Whether the admins get e-mails when a webhook of the account fails.',
    }),
  })
  .meta({
    id: 'AccountPatch',
    description: 'The changes of an account.',
    ...IGNORES_JSON_LD,
  });

/** `organisation` is the name of the organisation's own account. */
export type PatchAccount = (organisation: string, name: string, body: unknown) => Promise<Account>;

/**
 * Throws `validation`, also for an account below the organisation's own, and `not-found` for another
 * organisation's account.
 */
export const buildPatchAccount = (ports: {
  accounts: Pick<Accounts, 'find' | 'replace'>;
}): PatchAccount => {
  const getAccount = buildGetAccount(ports);
  return async (organisation, name, body) => {
    const { failureMail: stored = true, ...rest } = await getAccount(organisation, name);
    const { failureMail = stored } = parseRequestDocument(accountPatch, body, {
      name: 'AccountPatch',
      faults: isOrganisation(rest) ? [] : [{ pointer: '/failureMail', detail: ONLY_AT_THE_TOP }],
    });
    const account: Account = failureMail ? rest : { ...rest, failureMail };
    if (failureMail !== stored) await ports.accounts.replace(account);
    return account;
  };
};

const ONLY_AT_THE_TOP = 'is a setting of the organisation’s own account, which has the webhooks';
