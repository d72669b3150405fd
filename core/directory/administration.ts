import type { IssuedTokens, TokenUses } from './access-token.ts';
import {
  type Accounts,
  type AccountTree,
  type EveryOrganisation,
  existingAccount,
  type PageOptions,
} from './account.ts';
import { buildCreateAccount, buildListAccounts } from './administer-accounts.ts';
import { buildIssueToken, buildListTokens, buildRevokeToken } from './administer-tokens.ts';
import { buildCreateUser, buildListUsers, buildSetEmail } from './administer-users.ts';
import { buildIdentifyUser, buildInviteUser } from './identify-user.ts';
import { buildCountUser, buildRemoveUser } from './remove-user.ts';
import { buildSetSignature } from './set-signature.ts';
import type { Identities } from './sign-in.ts';
import { existingUser, type UserList, type Users, type WritableSignatures } from './user.ts';

export interface AdministrationPorts {
  accounts: Accounts & EveryOrganisation;
  tree: AccountTree;
  users: Users;
  userList: UserList;
  signatures: WritableSignatures;
  identities: Identities;
  tokens: IssuedTokens;
  uses: TokenUses;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
}

export const buildAdministration = (ports: AdministrationPorts) => {
  const createUser = buildCreateUser(ports);
  const identifyUser = buildIdentifyUser(ports);
  const setEmail = buildSetEmail(ports);
  const setSignature = buildSetSignature(ports);
  return {
    createAccount: buildCreateAccount(ports),
    findAccount: (name: string) => existingAccount(ports.accounts, name),
    listAccounts: buildListAccounts(ports),
    listOrganisations: (page: PageOptions) => ports.accounts.pageOfOrganisations(page),
    createUser,
    inviteUser: buildInviteUser({ users: ports.users, createUser, setEmail, identifyUser }),
    identifyUser,
    setEmail,
    listUsers: buildListUsers(ports),
    findUser: async (id: string) => ({
      user: await existingUser(ports.users, id),
      identities: await ports.identities.listOf(id),
    }),
    countUser: buildCountUser(ports),
    removeUser: buildRemoveUser(ports),
    /** Throws a `Refusal` as a call of the API does. */
    setSignature: (user: string, content: string) => setSignature(user, { content }),
    issueToken: buildIssueToken(ports),
    listTokens: buildListTokens(ports),
    revokeToken: buildRevokeToken(ports),
  };
};

export type Administration = ReturnType<typeof buildAdministration>;
