import * as z from 'zod';
import { collectionOf } from '../json-ld/collection.ts';
import { instants, links, type Terms, terms } from '../json-ld/vocabulary.ts';
import { type Account, isOrganisation } from './account.ts';

export const accountResource = z
  .strictObject({
    '@context': z.literal('/contexts/Account.jsonld'),
    '@type': z.literal('Account'),
    id: z
      .string()
      .regex(/^\/accounts\/[a-z0-9-]+$/)
      .meta({ description: 'Path of the account.' }),
    name: z.string(),
    parent: z
      .string()
      .optional()
      .meta({ description: 'The account above; absent at the top of the organisation.' }),
    isOrganisation: z.boolean().meta({
      description:
        'Whether it is the organisation’s own account, which has the integrations and tokens.',
    }),
    failureMail: z.boolean().optional().meta({
      description:
        'Whether the admins get e-mails when a webhook fails, recovers, or has events set aside. Only at the top of the organisation.',
    }),
    mailEnabled: z.boolean().optional().meta({
      description:
        'Whether the service sends e-mails. If not, `failureMail` has no effect. Only at the top of the organisation.',
    }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Account', description: 'An organisation’s own account, or one below.' });

export const accountTerms: Terms = {
  ...terms('Account', 'name', 'isOrganisation', 'failureMail', 'mailEnabled'),
  ...links('parent'),
  ...instants('createdAt'),
};

export const accountCollection = collectionOf(accountResource, {
  id: 'AccountCollection',
  description: 'A page of an organisation’s accounts.',
});

export type AccountResource = z.output<typeof accountResource>;

export const accountPath = (name: string): string => `/accounts/${name}`;

export const presentAccount = (
  account: Account,
  { mailEnabled }: { mailEnabled: boolean },
): AccountResource => ({
  '@context': '/contexts/Account.jsonld',
  '@type': 'Account',
  id: accountPath(account.name),
  name: account.name,
  ...(account.parent !== undefined && { parent: accountPath(account.parent) }),
  isOrganisation: isOrganisation(account),
  ...(isOrganisation(account) && { failureMail: account.failureMail ?? true, mailEnabled }),
  createdAt: account.createdAt,
});
