import { type Account, type Accounts, existingAccount } from './account.ts';
import { AdministrationError } from './administration-error.ts';

const ACCOUNT_NAME = /^[a-z0-9][a-z0-9-]{1,62}$/;

/** An account's name is the first segment of its paths. The API has or may get these as its own. */
const RESERVED = new Set(['contexts', 'docs', 'event-types', 'integrations', 'openapi', 'users']);

/**
 * Creates an account, below `parentName` if given. Throws `AdministrationError` for a name that is
 * not valid, reserved or in use, and for an unknown parent.
 */
export const buildCreateAccount =
  (ports: { accounts: Accounts; now: () => Date }) =>
  async (name: string, parentName?: string): Promise<Account> => {
    requireUsableName(name);
    const parent =
      parentName === undefined ? undefined : await existingAccount(ports.accounts, parentName);
    const account: Account = {
      name,
      ...(parent && { parent: parent.name }),
      primaryAccount: parent?.primaryAccount ?? name,
      createdAt: ports.now().toISOString(),
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
