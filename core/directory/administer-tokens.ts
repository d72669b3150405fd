import { AdministrationError } from '../refusal.ts';
import {
  hasExpired,
  type IssuedToken,
  type IssuedTokens,
  type ListedToken,
  TOKEN_NAME,
  type TokenUses,
  withUses,
} from './access-token.ts';
import { type Accounts, existingAccount, requirePrimary } from './account.ts';
import {
  buildMakeToken,
  mayHaveToken,
  type NewToken,
  ownerOf,
  revoke,
  type TokenMakingPorts,
} from './make-token.ts';
import { existingUser, type Role, type Users } from './user.ts';

/**
 * Throws `AdministrationError` for an unknown user, an admin's token of a user who is no admin of
 * the organisation, a name that is not printable, an expiry that is past, and a user who is removed
 * meanwhile.
 */
export const buildIssueToken = (ports: TokenMakingPorts & { readonly users: Users }) => {
  const makeToken = buildMakeToken(ports);
  return async (
    userId: string,
    role: Role,
    name: string,
    { expiresAt }: Pick<IssuedToken, 'expiresAt'> = {},
  ): Promise<NewToken> => {
    if (!TOKEN_NAME.test(name)) {
      throw new AdministrationError('A token is called by 1 to 100 printable characters.');
    }
    if (expiresAt !== undefined && hasExpired({ expiresAt }, ports.now())) {
      throw new AdministrationError('A token must expire later than now.');
    }
    const user = await existingUser(ports.users, userId);
    if (!mayHaveToken(user, role)) {
      throw new AdministrationError(
        `User "${userId}" is not an admin of "${user.primaryAccount}": issue a token of role member.`,
      );
    }
    const { token, issued, isValid } = await makeToken(ownerOf(user, ports), {
      role,
      name,
      expiresAt,
    });
    if (isValid) return { token, issued };
    throw new AdministrationError(`User "${userId}" was removed while the token was being issued.`);
  };
};

/** Oldest first. Throws `AdministrationError` for an unknown account and one that has a parent. */
export const buildListTokens =
  (ports: { accounts: Accounts; tokens: IssuedTokens; uses: TokenUses }) =>
  async (accountName: string): Promise<readonly ListedToken[]> => {
    requirePrimary(await existingAccount(ports.accounts, accountName));
    const tokens = await ports.tokens.listOf(accountName);
    return withUses(
      tokens.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt)),
      ports.uses,
    );
  };

/** Repeatable. Throws `AdministrationError` for a token that the account does not have. */
export const buildRevokeToken =
  (ports: { accounts: Accounts; tokens: IssuedTokens; now: () => Date }) =>
  async (accountName: string, id: string): Promise<IssuedToken> => {
    requirePrimary(await existingAccount(ports.accounts, accountName));
    const token = await ports.tokens.find(accountName, id);
    if (token === undefined) {
      throw new AdministrationError(`Account "${accountName}" has no token "${id}".`);
    }
    return revoke(token, ports);
  };
