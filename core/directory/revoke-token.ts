import { type Accounts, existingAccount } from './account.ts';
import { AdministrationError } from './administration-error.ts';
import type { IssuedToken, TokenCredentials, TokenList } from './issued-token.ts';
import { requirePrimary } from './list-tokens.ts';

/**
 * Revokes a token; once more changes nothing. Throws `AdministrationError` for one that the account
 * does not have.
 *
 * Made useless first, then listed as revoked: a process that dies between the two leaves a token
 * that opens nothing and is listed as if it did, which revoking again puts right; the other way
 * round, one that is listed as revoked and still works.
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
    const revokedAt = token.revokedAt ?? ports.now().toISOString();
    await ports.credentials.revoke(token, revokedAt);
    await ports.list.markRevoked(token, revokedAt);
    return { ...token, revokedAt };
  };
