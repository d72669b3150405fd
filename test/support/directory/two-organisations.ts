import { accountPath } from '../../../core/directory/account-resource.ts';
import { aChangeAt } from '../changes/changes.ts';
import { anIntegration } from '../integration/integrations.ts';
import { inMemoryStores, type Stores } from './account-removal.ts';
import { administrationInMemory } from './administration.ts';

const POOL_ISSUER = 'https://pool.example.com';
const OTHER_ISSUER = 'https://id.example.com';

const TOMORROW = new Date('2026-11-21T12:00:00.000Z');
const ORGANISATIONS = ['acme', 'globex'] as const;

/**
 * Two organisations, `acme` and `globex`, that have the same: an account below (`acme-sms`), an admin
 * (`acme-ada`) with a signature, two identities and two tokens, one of them revoked, a member below
 * (`acme-bob`) with a token, a failed integration, and one made with an idempotency key.
 */
export const twoOrganisations = async () => {
  const stores = inMemoryStores();
  const { administration } = administrationInMemory(stores.directory);
  for (const name of ORGANISATIONS) {
    const [ada, bob] = [`${name}-ada`, `${name}-bob`];
    await administration.createAccount(name);
    await administration.createAccount(`${name}-sms`, name);
    await administration.createUser(ada, name, 'admin');
    await administration.createUser(bob, `${name}-sms`);
    await administration.setSignature(ada, 'Ada');
    for (const user of [ada, bob]) {
      stores.pool.people.add(user);
      await administration.identifyUser(user, { issuer: POOL_ISSUER, subject: user });
      await administration.issueToken(user, 'member', 'a test');
    }
    await administration.identifyUser(ada, { issuer: OTHER_ISSUER, subject: ada });
    const { issued } = await administration.issueToken(ada, 'admin', 'revoked');
    await administration.revokeToken(name, issued.id);
    await addIntegrations(stores, name);
  }
  return { stores, administration };
};

const failedId = (account: string): string => `${account}failed`.padEnd(12, '0');
const keyedId = (account: string): string => `${account}keyed`.padEnd(12, '0');

const addIntegrations = async (stores: Stores, account: string): Promise<void> => {
  const since = '2026-11-20T12:00:00.000Z';
  const trouble = { kind: 'failed', since, lastAttemptAt: since, nextAttemptAt: since } as const;
  const failed = anIntegration({ account, id: failedId(account), trouble });
  await stores.integrations.add(failed);
  await stores.schedules.ensure(failed);
  const keyed = anIntegration({ account, id: keyedId(account) });
  const record = { account, key: 'key', bodyHash: 'a hash', integration: keyed.id };
  await stores.integrations.add(keyed, {
    record: { ...record, expiresAt: TOMORROW },
    replaced: undefined,
  });
  await stores.changes.add([aChangeAt(keyed.createdAt, { account: accountPath(account) })]);
};

/** All that the stores have of an organisation; every list is empty when nothing is left. */
export const stateOf = async ({ directory, ...stores }: Stores, name: string) => {
  const accounts = [name, `${name}-sms`];
  const users = [`${name}-ada`, `${name}-bob`];
  const identities = users.flatMap((subject) =>
    [POOL_ISSUER, OTHER_ISSUER].map((issuer) => ({ issuer, subject })),
  );
  const ids = [failedId(name), keyedId(name)];
  return {
    accounts: await found(accounts, (account) => directory.accounts.find(account)),
    below: (await directory.tree.listOf(name, { limit: 9 })).accounts,
    users: await found(users, (user) => directory.users.find(user)),
    listedUsers: await found(accounts, async (account) => {
      const { users: listed } = await directory.userList.listOf(account, { limit: 9 });
      return listed.length > 0 ? listed : undefined;
    }),
    signatures: await found(
      users,
      async (user) => (await directory.signatures.has(user)) || undefined,
    ),
    identities: await found(identities, (identity) => directory.identities.findUser(identity)),
    listedIdentities: (
      await Promise.all(users.map((user) => directory.identities.listOf(user)))
    ).flat(),
    people: users.filter((user) => stores.pool.people.has(user)),
    tokens: await directory.tokens.listOf(name),
    integrations: await stores.integrations.listOf(name),
    idempotency: stores.idempotency.all.filter(({ account }) => account === name),
    changes: stores.changes.all.filter(({ account }) => account === name),
    /** Integrations whose pending events nothing would remove. */
    unpurged: ids.filter(
      (id) =>
        stores.replays.requested.every((request) => request.id !== id) &&
        stores.schedules.all.every((schedule) => schedule.id !== id || schedule.epoch === 0),
    ),
  };
};

const found = async <Key, Value>(
  keys: readonly Key[],
  find: (key: Key) => Promise<Value | undefined>,
): Promise<Value[]> =>
  (await Promise.all(keys.map(find))).filter((value) => value !== undefined) as Value[];
