import { type Account, type Accounts, type AccountTree, existingAccount } from './account.ts';
import { everyPage } from './every-page.ts';
import { requirePrimary } from './list-tokens.ts';

/**
 * All accounts of an organisation: its own account, then the accounts below by name. Throws
 * `AdministrationError` for an unknown account and for an account that has a parent.
 */
export const buildListAccounts =
  (ports: { accounts: Accounts; tree: AccountTree }) =>
  async (accountName: string): Promise<readonly Account[]> => {
    const primary = await existingAccount(ports.accounts, accountName);
    requirePrimary(primary);
    const pages = await everyPage((page) => ports.tree.listOf(accountName, page));
    return [primary, ...pages.flatMap(({ accounts }) => accounts)];
  };
