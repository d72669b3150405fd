import { type Accounts, existingAccount } from './account.ts';
import { AdministrationError } from './administration-error.ts';
import type { IssuedToken, TokenCredentials, TokenList } from './issued-token.ts';
import { requirePrimary } from './list-tokens.ts';

/**
 * Revokes a token; revoking again changes nothing. Throws `AdministrationError` for a token that
 * the account does not have.
 *
 * The token is made invalid first, then listed as revoked. A process that dies between the two
 * leaves an invalid token that is listed as valid, which revoking again puts right. In the opposite
 * order it would leave a valid token that is listed as revoked.
 */
export const buildRevokeToken =
  (ports: {
    accounts: Accounts;
    list: TokenList;
    credentials: TokenCredentials;
    now: () => Date;
  }) =>
  async (accountName: string, id: string): Promise<IssuedToken> => {
    requirePrimary(await existingAccount(ports.accounts, accountName));
    const token = await ports.list.find(accountName, id);
    if (token === undefined) {
      throw new AdministrationError(`Account "${accountName}" has no token "${id}".`);
    }
    return revokeListed(token, ports);
  };

/** Revokes a token of the list, unless it is revoked. */
export const revokeListed = async (
  token: IssuedToken,
  ports: { list: TokenList; credentials: TokenCredentials; now: () => Date },
): Promise<IssuedToken & { readonly revokedAt: string }> => {
  const revokedAt = token.revokedAt ?? ports.now().toISOString();
  await ports.credentials.revoke(token, revokedAt);
  await ports.list.markRevoked(token, revokedAt);
  return { ...token, revokedAt };
};
