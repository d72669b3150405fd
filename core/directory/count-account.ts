import { inChunks } from '../in-chunks.ts';
import { AdministrationError } from '../refusal.ts';
import {
  type Account,
  type Accounts,
  type AccountTree,
  everyPage,
  existingAccount,
  isOrganisation,
} from './account.ts';
import {
  countBelongings,
  tokensOf,
  type UserCounts,
  type UserPool,
  type UserRemovalPorts,
} from './remove-user.ts';
import type { User, UserList } from './user.ts';

interface IntegrationCounts {
  readonly integrations: number;
  readonly pendingEvents: number;
  /** Whether `pendingEvents` counts all of them: counting ends early where there are many. */
  readonly isExact: boolean;
}

/** The integrations of an account, as far as its removal is concerned. */
export interface AccountIntegrations {
  countOf(account: string): Promise<IntegrationCounts>;
  idsOf(account: string): Promise<readonly string[]>;
  /** Deletes it as the API does. Its pending events are removed within the hour. */
  remove(integration: { readonly account: string; readonly id: string }): Promise<void>;
}

export interface AccountRemovalPorts extends UserRemovalPorts {
  readonly accounts: Accounts;
  readonly tree: AccountTree;
  readonly userList: UserList;
  readonly integrations: AccountIntegrations;
  readonly idempotency: { removeAllOf(account: string): Promise<void> };
  /** What happened to the integrations of accounts. */
  readonly changes: { removeAllOf(account: string): Promise<void> };
  readonly pool: UserPool;
  readonly now: () => Date;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

export interface AccountCounts extends UserCounts, IntegrationCounts {
  readonly accountsBelow: number;
  readonly users: number;
}

/**
 * What a removal would remove. Throws `AdministrationError` for an unknown account, and for one
 * that has accounts below it without being the organisation's own.
 */
export const buildCountAccount =
  (ports: AccountRemovalPorts) =>
  async (name: string): Promise<{ account: Account; counts: AccountCounts }> => {
    const account = await removableAccount(name, ports);
    return { account, counts: await countAccount(account, ports) };
  };

export const removableAccount = async (
  name: string,
  ports: AccountRemovalPorts,
): Promise<Account> => {
  const account = await existingAccount(ports.accounts, name);
  if (isOrganisation(account)) return account;
  const below = await listedBelow(account.primaryAccount, ports);
  const child = below.find(({ parent }) => parent === name);
  if (child === undefined) return account;
  throw new AdministrationError(
    `Account "${name}" has an account below it, "${child.name}": remove that first, or the organisation "${account.primaryAccount}".`,
  );
};

export const listedBelow = async (
  organisation: string,
  { tree }: AccountRemovalPorts,
): Promise<readonly Account[]> => {
  const pages = await everyPage((page) => tree.listOf(organisation, page));
  return pages.flatMap(({ accounts }) => accounts);
};

/** The account, and those below an organisation's own. */
export const accountsIn = async (
  account: Account,
  ports: AccountRemovalPorts,
): Promise<readonly Account[]> => {
  if (!isOrganisation(account)) return [account];
  return [account, ...(await listedBelow(account.name, ports))];
};

export const USERS_AT_ONCE = 10;

export const countAccount = async (
  account: Account,
  ports: AccountRemovalPorts,
): Promise<AccountCounts> => {
  const accounts = await accountsIn(account, ports);
  const users: User[] = [];
  for (const { name } of accounts) {
    const pages = await everyPage((page) => ports.userList.listOf(name, page));
    users.push(...pages.flatMap((page) => page.users));
  }
  let [signIns, signatures] = [0, 0];
  for (const some of inChunks(users, USERS_AT_ONCE)) {
    for (const has of await Promise.all(some.map((user) => countBelongings(user, ports)))) {
      signIns += has.signIns;
      signatures += has.signatures;
    }
  }
  const tokens = isOrganisation(account)
    ? await ports.tokens.listOf(account.name)
    : await tokensOf(users, ports);
  return {
    accountsBelow: accounts.length - 1,
    users: users.length,
    signIns,
    signatures,
    tokens: tokens.length,
    ...(await ports.integrations.countOf(account.name)),
  };
};
