import { type Account, type Accounts, existingAccount } from './account.ts';
import { AdministrationError } from './administration-error.ts';
import type { IssuedToken, TokenList } from './issued-token.ts';

/**
 * An account's tokens, oldest first. Throws `AdministrationError` for an unknown account and for an
 * account that has a parent.
 */
export const buildListTokens =
  (ports: { accounts: Accounts; list: TokenList }) =>
  async (accountName: string): Promise<readonly IssuedToken[]> => {
    requirePrimary(await existingAccount(ports.accounts, accountName));
    const tokens = await ports.list.listOf(accountName);
    return tokens.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
  };

/** Throws for an account that has a parent: it has no tokens, and an empty list would mislead. */
export const requirePrimary = ({ name, primaryAccount }: Account): void => {
  if (name === primaryAccount) return;
  throw new AdministrationError(
    `Account "${name}" is below "${primaryAccount}", and tokens are kept there: name that account.`,
  );
};
