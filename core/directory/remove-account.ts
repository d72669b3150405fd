import { inChunks } from '../in-chunks.ts';
import { AdministrationError } from '../refusal.ts';
import { type Account, isOrganisation } from './account.ts';
import { accountPath } from './account-resource.ts';
import {
  type AccountRemovalPorts,
  accountsIn,
  countAccount,
  listedBelow,
  removableAccount,
  USERS_AT_ONCE,
} from './count-account.ts';
import { removeBelongings, tokensOf } from './remove-user.ts';

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

type Step = (
  account: Account,
  ports: AccountRemovalPorts,
  tell: (progress: string) => void,
) => Promise<void>;

/** A call of the API that is still under way creates nothing afterwards, whatever it has read. */
const beginRemoval: Step = (account, { accounts, now }) => accounts.beginRemoval(account, now());

const USERS_OF_PAGE = 100;

/** Users are removed last, so that a run after a death finds them. */
const removeUsers: Step = async (account, ports, tell) => {
  let removed = 0;
  for (const { name } of await accountsIn(account, ports)) {
    for (;;) {
      const { users } = await ports.userList.listOf(name, { limit: USERS_OF_PAGE });
      if (users.length === 0) break;
      for (const some of inChunks(users, USERS_AT_ONCE)) {
        await Promise.all(some.map((user) => removeBelongings(user, ports, ports.pool)));
      }
      await ports.tokens.remove(await tokensOf(users, ports));
      for (const some of inChunks(users, USERS_AT_ONCE)) {
        await Promise.all(some.map((user) => ports.users.remove(user)));
      }
      removed += users.length;
      tell(`Users removed: ${removed}.`);
    }
  }
};

const removeTokens: Step = async ({ name }, ports, tell) => {
  const tokens = await ports.tokens.listOf(name);
  await ports.tokens.remove(tokens);
  if (tokens.length > 0) tell(`Tokens removed: ${tokens.length}.`);
};

/** Each takes about seven calls, one after the other. */
const INTEGRATIONS_AT_ONCE = 5;

const removeIntegrations: Step = async ({ name }, { integrations }, tell) => {
  const ids = await integrations.idsOf(name);
  for (const some of inChunks(ids, INTEGRATIONS_AT_ONCE)) {
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
  await changes.removeAllOf(accountPath(name));
};

const removeAccountsBelow: Step = async (account, ports) => {
  if (!isOrganisation(account)) return;
  for (const below of await listedBelow(account.name, ports)) {
    await ports.accounts.remove(below, ports.now());
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
  await ports.accounts.remove(account, ports.now());
};

/**
 * In this order. Without its user, nobody signs in. Further data of an account is removed before
 * `requireEmpty`.
 */
const STEPS: readonly Step[] = [
  beginRemoval,
  removeUsers,
  removeTokens,
  removeIntegrations,
  removeIdempotencyRecords,
  awaitLastChanges,
  removeChanges,
  requireEmpty,
  removeAccountsBelow,
  removeAccount,
];
