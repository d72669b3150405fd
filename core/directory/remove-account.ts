import { AdministrationError } from '../refusal.ts';
import {
  type Account,
  type Accounts,
  everyPage,
  existingAccount,
  isOrganisation,
  type WritableAccountTree,
} from './account.ts';
import {
  countBelongings,
  eraseTokens,
  inGroups,
  removeBelongings,
  tokensOf,
  type UserCounts,
  type UserPool,
  type UserRemovalPorts,
} from './remove-user.ts';
import type { User } from './user.ts';

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
  readonly tree: WritableAccountTree;
  readonly integrations: AccountIntegrations;
  readonly idempotency: { removeAllOf(account: string): Promise<void> };
  /** What happened to the integrations of accounts. */
  readonly changes: { removeAllOf(account: string): Promise<void> };
  readonly pool: UserPool;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

export interface AccountCounts extends UserCounts, IntegrationCounts {
  readonly accountsBelow: number;
  readonly users: number;
}

export interface OfAccount {
  readonly account: Account;
  readonly counts: AccountCounts;
}

/**
 * What a removal would remove. Throws `AdministrationError` for an unknown account, and for one
 * that has accounts below it without being the organisation's own.
 */
export const buildCountAccount =
  (ports: AccountRemovalPorts) =>
  async (name: string): Promise<OfAccount> => {
    const account = await removableAccount(name, ports);
    return { account, counts: await countAccount(account, ports) };
  };

/**
 * Removes an account with all it has; an organisation with the accounts below it. A step that died
 * is made again by the next run, because the account itself is removed last. Throws as counting
 * does, and when something was created in the account meanwhile.
 */
export const buildRemoveAccount =
  (ports: AccountRemovalPorts) =>
  async (name: string, tell: (progress: string) => void): Promise<void> => {
    const account = await removableAccount(name, ports);
    for (const step of STEPS) await step(account, ports, tell);
  };

const removableAccount = async (name: string, ports: AccountRemovalPorts): Promise<Account> => {
  const account = await existingAccount(ports.accounts, name);
  if (isOrganisation(account)) return account;
  const below = await listedBelow(account.primaryAccount, ports);
  const child = below.find(({ parent }) => parent === name);
  if (child === undefined) return account;
  throw new AdministrationError(
    `Account "${name}" has an account below it, "${child.name}": remove that first, or the organisation "${account.primaryAccount}".`,
  );
};

const listedBelow = async (
  organisation: string,
  { tree }: AccountRemovalPorts,
): Promise<readonly Account[]> => {
  const pages = await everyPage((page) => tree.listOf(organisation, page));
  return pages.flatMap(({ accounts }) => accounts);
};

/**
 * The account, and those below an organisation's own. After a removal that died, the name of a
 * listed account may be another organisation's.
 */
const accountsIn = async (
  account: Account,
  ports: AccountRemovalPorts,
): Promise<readonly Account[]> => {
  if (!isOrganisation(account)) return [account];
  const listed = await listedBelow(account.name, ports);
  const stored = await Promise.all(listed.map(({ name }) => ports.accounts.find(name)));
  return [account, ...stored.flatMap((below) => (isIn(account, below) ? [below] : []))];
};

const isIn = (organisation: Account, below: Account | undefined): below is Account =>
  below?.primaryAccount === organisation.name;

const USERS_AT_ONCE = 10;

const countAccount = async (
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
  for (const some of inGroups(users, USERS_AT_ONCE)) {
    for (const has of await Promise.all(some.map((user) => countBelongings(user, ports)))) {
      signIns += has.signIns;
      signatures += has.signatures;
    }
  }
  const tokens = isOrganisation(account)
    ? await ports.list.listOf(account.name)
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

type Step = (
  account: Account,
  ports: AccountRemovalPorts,
  tell: (progress: string) => void,
) => Promise<void>;

const USERS_OF_PAGE = 100;

/** Users stay listed until nothing else of them is left, so that a run after a death finds them. */
const removeUsers: Step = async (account, ports, tell) => {
  let removed = 0;
  for (const { name } of await accountsIn(account, ports)) {
    for (;;) {
      const { users } = await ports.userList.listOf(name, { limit: USERS_OF_PAGE });
      if (users.length === 0) break;
      for (const some of inGroups(users, USERS_AT_ONCE)) {
        await Promise.all(some.map((user) => removePerson(user, ports)));
      }
      await eraseTokens(await tokensOf(users, ports), ports);
      for (const some of inGroups(users, USERS_AT_ONCE)) {
        await Promise.all(some.map((user) => ports.userList.remove(user)));
      }
      removed += users.length;
      tell(`Users removed: ${removed}.`);
    }
  }
};

/** After a removal that died, a user of the id may be another account's. */
const removePerson = async (listed: User, ports: AccountRemovalPorts): Promise<void> => {
  const stored = await ports.users.find(listed.id);
  if (stored?.account !== listed.account) return;
  await removeBelongings(listed, ports, ports.pool);
  await ports.users.remove(listed.id);
};

const removeTokens: Step = async ({ name }, ports, tell) => {
  const tokens = await ports.list.listOf(name);
  await eraseTokens(tokens, ports);
  if (tokens.length > 0) tell(`Tokens removed: ${tokens.length}.`);
};

/** The API knows a token for 60 s after its end, and a call takes up to 29 s. */
const LAST_CALLS_MS = 90_000;

/** Calls of the API can create integrations until then. They write nothing of an account below. */
const awaitLastCalls: Step = async (account, { sleep }, tell) => {
  if (!isOrganisation(account)) return;
  tell(`Waiting ${LAST_CALLS_MS / 1_000} s, until the API takes no calls of the account.`);
  await sleep(LAST_CALLS_MS);
};

/** Each takes about seven calls, one after the other. */
const INTEGRATIONS_AT_ONCE = 5;

const removeIntegrations: Step = async ({ name }, { integrations }, tell) => {
  const ids = await integrations.idsOf(name);
  for (const some of inGroups(ids, INTEGRATIONS_AT_ONCE)) {
    await Promise.all(some.map((id) => integrations.remove({ account: name, id })));
  }
  if (ids.length > 0) tell(`Integrations removed: ${ids.length}.`);
};

const removeIdempotencyRecords: Step = async ({ name }, { idempotency }) => {
  await idempotency.removeAllOf(name);
};

/** Usually a change is announced within two seconds. */
const LAST_CHANGES_MS = 30_000;

const awaitLastChanges: Step = async (account, { sleep }, tell) => {
  if (!isOrganisation(account)) return;
  tell(
    `Waiting ${LAST_CHANGES_MS / 1_000} s, until the last changes of integrations are in Activity.`,
  );
  await sleep(LAST_CHANGES_MS);
};

const removeChanges: Step = async ({ name }, { changes }) => {
  await changes.removeAllOf(name);
};

const removeAccountsBelow: Step = async (account, ports) => {
  if (!isOrganisation(account)) return;
  for (const listed of await listedBelow(account.name, ports)) {
    const stored = await ports.accounts.find(listed.name);
    if (isIn(account, stored)) await ports.accounts.remove(listed.name);
    await ports.tree.remove(listed);
  }
};

/** A later account of the name must get no users, tokens or integrations. */
const requireEmpty: Step = async (account, ports) => {
  const { users, tokens, integrations } = await countAccount(account, ports);
  if (users + tokens + integrations === 0) return;
  throw new AdministrationError(
    `Something was created in "${account.name}" during its removal: run the command again.`,
  );
};

const removeAccount: Step = async (account, ports) => {
  await ports.tree.remove(account);
  await ports.accounts.remove(account.name);
};

/**
 * In this order. Without its user, no token is issued and nobody signs in. Tokens are removed once
 * more for those that were being issued. Further data of an account is removed before
 * `requireEmpty`.
 */
const STEPS: readonly Step[] = [
  removeUsers,
  removeTokens,
  awaitLastCalls,
  removeIntegrations,
  removeTokens,
  removeIdempotencyRecords,
  awaitLastChanges,
  removeChanges,
  requireEmpty,
  removeAccountsBelow,
  removeAccount,
];
