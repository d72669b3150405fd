import type { Accounts } from '../core/directory/account.ts';
import { existingAccount } from '../core/directory/account.ts';
import { buildCreateAccount } from '../core/directory/create-account.ts';
import { buildCreateUser } from '../core/directory/create-user.ts';
import { buildIssueToken } from '../core/directory/issue-token.ts';
import type { TokenCredentials, TokenList } from '../core/directory/issued-token.ts';
import { buildListTokens } from '../core/directory/list-tokens.ts';
import { buildRevokeToken } from '../core/directory/revoke-token.ts';
import { buildSetSignature, type WritableSignatures } from '../core/directory/set-signature.ts';
import type { Users } from '../core/directory/user.ts';

export interface AdministrationPorts {
  accounts: Accounts;
  users: Users;
  signatures: WritableSignatures;
  list: TokenList;
  credentials: TokenCredentials;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
}

/** What an operator can do to the Directory. */
export const buildAdministration = (ports: AdministrationPorts) => ({
  createAccount: buildCreateAccount(ports),
  findAccount: (name: string) => existingAccount(ports.accounts, name),
  createUser: buildCreateUser(ports),
  setSignature: buildSetSignature(ports),
  issueToken: buildIssueToken(ports),
  listTokens: buildListTokens(ports),
  revokeToken: buildRevokeToken(ports),
});

export type Administration = ReturnType<typeof buildAdministration>;
