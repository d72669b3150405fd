import * as z from 'zod';
import { links, type Terms, terms } from '../json-ld/vocabulary.ts';
import { accountPath } from './account-resource.ts';
import { type Principal, ROLES, type Users } from './user.ts';
import { userPath } from './user-resource.ts';

export const meResource = z
  .strictObject({
    '@context': z.literal('/contexts/Me.jsonld'),
    '@type': z.literal('Me'),
    id: z.literal('/me'),
    user: z.string().meta({ description: 'The user of the token.' }),
    userName: z.string().meta({ description: 'The user’s identifier.' }),
    account: z.string().meta({ description: 'The account that the user belongs to.' }),
    organisation: z.string().meta({
      description:
        'The account at the top of the organisation, whose resources the token can read.',
    }),
    role: z.enum(ROLES).meta({ description: 'The role of the token.' }),
  })
  .meta({ id: 'Me', description: 'The caller.' });

export const meTerms: Terms = {
  ...terms('Me', 'userName', 'role'),
  ...links('user', 'account', 'organisation'),
};

export type GetMe = (principal: Principal) => Promise<z.output<typeof meResource>>;

/**
 * A user removed less than a minute ago may still call, and a person whom a console link names:
 * shown in the organisation's account. That name may be the id of another organisation's user.
 */
export const buildGetMe =
  (ports: { users: Pick<Users, 'find'> }): GetMe =>
  async ({ user, account, role }) => {
    const found = await ports.users.find(user);
    return {
      '@context': '/contexts/Me.jsonld',
      '@type': 'Me',
      id: '/me',
      user: userPath(user),
      userName: user,
      account: accountPath(found?.primaryAccount === account ? found.account : account),
      organisation: accountPath(account),
      role,
    };
  };
