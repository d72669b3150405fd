import { type Accounts, existingAccount, type WritableAccountTree } from './account.ts';
import { buildCreateAccount } from './create-account.ts';
import { buildCreateUser } from './create-user.ts';
import { buildIdentifyUser } from './identify-user.ts';
import { buildInviteUser } from './invite-user.ts';
import { buildIssueToken } from './issue-token.ts';
import type { TokenCredentials, TokenList, TokenUses } from './issued-token.ts';
import { buildListAccounts } from './list-accounts.ts';
import { buildListTokens } from './list-tokens.ts';
import { buildListUsers } from './list-users.ts';
import { buildRemoveUser } from './remove-user.ts';
import { buildRevokeToken } from './revoke-token.ts';
import { buildSetSignature, type WritableSignatures } from './set-signature.ts';
import type { Identities, IdentityList } from './sign-in.ts';
import { existingUser, type Users, type WritableUserList } from './user.ts';

export interface AdministrationPorts {
  accounts: Accounts;
  tree: WritableAccountTree;
  users: Users;
  userList: WritableUserList;
  signatures: WritableSignatures;
  identityList: IdentityList;
  identities: Identities;
  list: TokenList;
  credentials: TokenCredentials;
  uses: TokenUses;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
}

/** Every use case of an operator: accounts, users, signatures and tokens of the Directory. */
export const buildAdministration = (ports: AdministrationPorts) => {
  const createUser = buildCreateUser(ports);
  const identifyUser = buildIdentifyUser(ports);
  return {
    createAccount: buildCreateAccount(ports),
    findAccount: (name: string) => existingAccount(ports.accounts, name),
    listAccounts: buildListAccounts(ports),
    createUser,
    inviteUser: buildInviteUser({ users: ports.users, createUser, identifyUser }),
    identifyUser,
    listUsers: buildListUsers(ports),
    findUser: async (id: string) => ({
      user: await existingUser(ports.users, id),
      identities: await ports.identityList.listOf(id),
    }),
    removeUser: buildRemoveUser(ports),
    setSignature: buildSetSignature(ports),
    issueToken: buildIssueToken(ports),
    listTokens: buildListTokens(ports),
    revokeToken: buildRevokeToken(ports),
  };
};

export type Administration = ReturnType<typeof buildAdministration>;
