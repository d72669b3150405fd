import { type Account, type Accounts, existingAccount } from './account.ts';
import { AdministrationError } from './administration-error.ts';
import type { IssuedToken, ListedToken, TokenList, TokenUses } from './issued-token.ts';

/**
 * An account's tokens, oldest first. Throws `AdministrationError` for an unknown account and for an
 * account that has a parent.
 */
export const buildListTokens =
  (ports: { accounts: Accounts; list: TokenList; uses: TokenUses }) =>
  async (accountName: string): Promise<readonly ListedToken[]> => {
    requirePrimary(await existingAccount(ports.accounts, accountName));
    const tokens = await ports.list.listOf(accountName);
    return withUses(
      tokens.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt)),
      ports.uses,
    );
  };

/** Tokens with their last uses, in the same order. */
export const withUses = async (
  tokens: readonly IssuedToken[],
  uses: TokenUses,
): Promise<readonly ListedToken[]> => {
  const lastUses = await uses.lastUsesOf(tokens.map(({ hash }) => hash));
  return tokens.map((token, index) => {
    const lastUsedAt = lastUses[index];
    return lastUsedAt === undefined ? token : { ...token, lastUsedAt };
  });
};

/** Throws for an account that has a parent: an empty list of what it cannot have would mislead. */
export const requirePrimary = ({ name, primaryAccount }: Account): void => {
  if (name === primaryAccount) return;
  throw new AdministrationError(
    `Account "${name}" is below "${primaryAccount}", which has the tokens and the accounts: name that account.`,
  );
};
