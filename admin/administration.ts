import type { Accounts } from '../core/access/account.ts';
import { existingAccount } from '../core/access/account.ts';
import { createCreateAccount } from '../core/access/create-account.ts';
import { createCreateUser } from '../core/access/create-user.ts';
import { createIssueToken } from '../core/access/issue-token.ts';
import type { TokenCredentials, TokenList } from '../core/access/issued-token.ts';
import { createListTokens } from '../core/access/list-tokens.ts';
import { createRevokeToken } from '../core/access/revoke-token.ts';
import type { Users } from '../core/access/user.ts';
import { createSetSignature, type WritableSignatures } from '../core/signatures/set-signature.ts';

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
export const createAdministration = (ports: AdministrationPorts) => ({
  createAccount: createCreateAccount(ports),
  findAccount: (name: string) => existingAccount(ports.accounts, name),
  createUser: createCreateUser(ports),
  setSignature: createSetSignature(ports),
  issueToken: createIssueToken(ports),
  listTokens: createListTokens(ports),
  revokeToken: createRevokeToken(ports),
});

export type Administration = ReturnType<typeof createAdministration>;
