import { AdministrationError } from '../refusal.ts';
import {
  ACCOUNT_NAME,
  type Account,
  type Accounts,
  type AccountTree,
  everyPage,
  existingAccount,
  NAME_BLOCKED_MS,
  requirePrimary,
} from './account.ts';

/** Paths that the API has or may get: an account's name is the first segment of its paths. */
const RESERVED = new Set([
  'accounts',
  'change-types',
  'console-sessions',
  'guides',
  'contexts',
  'docs',
  'event-types',
  'integrations',
  'me',
  'openapi',
  'problems',
  'reasons',
  'users',
]);

/**
 * Throws `AdministrationError` for a name that is not valid, reserved, in use, or, unless
 * `reusesName`, blocked after a removal, and for an unknown parent.
 */
export const buildCreateAccount =
  (ports: { accounts: Accounts; now: () => Date }) =>
  async (name: string, parentName?: string, { reusesName = false } = {}): Promise<Account> => {
    requireUsableName(name);
    const now = ports.now();
    const removedAt = reusesName ? undefined : await ports.accounts.removedAt(name);
    const blockedUntil = new Date(Date.parse(removedAt ?? '') + NAME_BLOCKED_MS);
    if (blockedUntil > now) {
      throw new AdministrationError(
        `An account "${name}" was removed: the name is blocked until ${blockedUntil.toISOString()}, as long as queues can have its messages. --reuse-name creates it now.`,
      );
    }
    const parent =
      parentName === undefined ? undefined : await existingAccount(ports.accounts, parentName);
    const account: Account = {
      name,
      ...(parent && { parent: parent.name }),
      primaryAccount: parent?.primaryAccount ?? name,
      createdAt: now.toISOString(),
    };
    if ((await ports.accounts.add(account)) === 'added') return account;
    throw new AdministrationError(`There is an account "${name}" already.`);
  };

const requireUsableName = (name: string): void => {
  if (!ACCOUNT_NAME.test(name)) {
    throw new AdministrationError(
      `"${name}" cannot be an account's name: 2 to 63 of a-z 0-9 - and not - first.`,
    );
  }
  if (RESERVED.has(name)) {
    throw new AdministrationError(`"${name}" cannot be an account's name: the API has that path.`);
  }
};

/**
 * Its own account first. Throws `AdministrationError` for an account that is unknown or has a
 * parent.
 */
export const buildListAccounts =
  (ports: { accounts: Accounts; tree: AccountTree }) =>
  async (accountName: string): Promise<readonly Account[]> => {
    const primary = await existingAccount(ports.accounts, accountName);
    requirePrimary(primary);
    const pages = await everyPage((page) => ports.tree.listOf(accountName, page));
    return [primary, ...pages.flatMap(({ accounts }) => accounts)];
  };
