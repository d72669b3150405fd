import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { administrationPorts } from '../../adapters/dynamodb/directory/administration-ports.ts';
import { accountUserKey } from '../../adapters/dynamodb/directory/directory-items.ts';
import type {
  Account,
  Accounts,
  AccountTree,
  EveryOrganisation,
} from '../../core/directory/account.ts';
import type { User, UserList, Users } from '../../core/directory/user.ts';
import { inMemoryDirectory } from '../support/directory/in-memory-directory.ts';

interface Lists {
  readonly accounts: Accounts & EveryOrganisation;
  readonly tree: AccountTree;
  readonly users: Users;
  readonly userList: UserList;
  /** Writes what else table Directory keeps beside the lists of an account. */
  writeOthers(): Promise<void>;
}

const AT = '2026-11-20T12:00:00.000Z';

const childOf = (primaryAccount: string, name: string): Account => ({
  name,
  parent: primaryAccount,
  primaryAccount,
  createdAt: AT,
});

const userOf = (account: string, id: string): User => ({
  id,
  account,
  primaryAccount: 'acme',
  role: 'member',
  createdAt: AT,
});

/** In their order, which is by character codes. */
const NAMES = ['0-acme', 'a-1', 'a1', 'a10', 'a2'];
const IDS = ['-x', '0', 'Ada', 'Zoe', '_y', 'ada'];

const directoryListsContract = (name: string, create: () => Promise<Lists>) => {
  describe(`${name} as the list of all organisations`, () => {
    it('has each organisation on one of its pages, and nothing else', async () => {
      const { accounts, writeOthers } = await create();
      await writeOthers();
      const below = childOf('acme', 'a1');
      const organisations = [...NAMES, 'acme'].map((own) => ({
        name: own,
        primaryAccount: own,
        createdAt: AT,
      }));
      for (const account of [...organisations, below]) await accounts.add(account);
      const listed: Account[] = [];
      let after: string | undefined;
      do {
        const page = await accounts.pageOfOrganisations({ limit: 2, after });
        expect(page.accounts.length).toBeLessThanOrEqual(2);
        listed.push(...page.accounts);
        after = page.next;
      } while (after !== undefined);

      expect(listed.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(organisations);
    });
  });

  describe(`${name} as the tree of an organisation's accounts`, () => {
    const createWithSome = async () => {
      const { accounts, tree } = await create();
      for (const child of NAMES.toReversed()) await accounts.add(childOf('acme', child));
      await accounts.add(childOf('acme2', 'a11'));
      return tree;
    };

    it('has the organisation’s accounts as they are, by name', async () => {
      const tree = await createWithSome();
      expect(await tree.listOf('acme', { limit: 100 })).toEqual({
        accounts: NAMES.map((child) => childOf('acme', child)),
      });
    });

    it('goes on after a name, to the end', async () => {
      const tree = await createWithSome();
      const first = await tree.listOf('acme', { limit: 3 });
      expect(first.accounts.map((account) => account.name)).toEqual(NAMES.slice(0, 3));
      const second = await tree.listOf('acme', { limit: 3, after: first.next });
      expect(second).toEqual({ accounts: NAMES.slice(3).map((child) => childOf('acme', child)) });
    });

    it('names no next page when a page is full with the last account', async () => {
      const tree = await createWithSome();
      expect((await tree.listOf('acme', { limit: NAMES.length })).next).toBeUndefined();
    });

    it('goes on after a name that no account has', async () => {
      const tree = await createWithSome();
      const { accounts } = await tree.listOf('acme', { limit: 1, after: 'a100' });
      expect(accounts).toEqual([childOf('acme', 'a2')]);
      expect(await tree.listOf('acme', { limit: 1, after: 'z' })).toEqual({ accounts: [] });
    });

    it('gets no account whose name another has', async () => {
      const { accounts, tree } = await create();
      await accounts.add(childOf('acme', 'a1'));
      expect(await accounts.add(childOf('globex', 'a1'))).toBe('exists');
      expect(await tree.listOf('globex', { limit: 9 })).toEqual({ accounts: [] });
    });
  });

  describe(`${name} as the tree, one of whose accounts is removed`, () => {
    it('has the others, of other organisations too', async () => {
      const { accounts, tree } = await create();
      await accounts.add(childOf('globex', 'g1'));
      for (const name of ['a1', 'a2']) await accounts.add(childOf('acme', name));
      await accounts.remove(childOf('acme', 'a1'), new Date(AT));
      await accounts.remove(childOf('acme', 'a3'), new Date(AT));
      expect((await tree.listOf('acme', { limit: 9 })).accounts).toEqual([childOf('acme', 'a2')]);
      expect((await tree.listOf('globex', { limit: 9 })).accounts).toEqual([
        childOf('globex', 'g1'),
      ]);
    });
  });

  describe(`${name} as the users of accounts`, () => {
    const createWithSome = async () => {
      const { users, userList } = await create();
      for (const id of IDS.toReversed()) await users.add(userOf('acme-sms', id));
      await users.add(userOf('acme', 'bob'));
      return userList;
    };

    it('has the users of one account as they are, by id', async () => {
      const userList = await createWithSome();
      expect(await userList.listOf('acme-sms', { limit: 100 })).toEqual({
        users: IDS.map((id) => userOf('acme-sms', id)),
      });
      expect(await userList.listOf('acme', { limit: 100 })).toEqual({
        users: [userOf('acme', 'bob')],
      });
    });

    it('goes on after an id, to the end', async () => {
      const userList = await createWithSome();
      const first = await userList.listOf('acme-sms', { limit: 4 });
      expect(first).toEqual({
        users: IDS.slice(0, 4).map((id) => userOf('acme-sms', id)),
        next: 'Zoe',
      });
      expect(await userList.listOf('acme-sms', { limit: 4, after: first.next })).toEqual({
        users: IDS.slice(4).map((id) => userOf('acme-sms', id)),
      });
    });
  });

  describe(`${name} as the users of accounts, one of whom is removed`, () => {
    it('has the others', async () => {
      const { users, userList } = await create();
      for (const id of ['ada', 'bob']) await users.add(userOf('acme', id));
      await users.remove(userOf('acme', 'ada'));
      await users.replace(userOf('acme', 'ada'));
      expect(await users.add(userOf('globex', 'bob'))).toBe('exists');
      expect(await userList.listOf('globex', { limit: 9 })).toEqual({ users: [] });
      expect(await userList.listOf('acme', { limit: 9 })).toEqual({
        users: [userOf('acme', 'bob')],
      });
    });
  });

  describe(`${name} as the users of accounts, one of whom went to another`, () => {
    it('has the user in the other account alone, whoever changes the earlier one late', async () => {
      const { users, userList } = await create();
      await users.add(userOf('acme', 'ada'));
      await users.remove(userOf('acme', 'ada'));
      await users.add(userOf('globex', 'ada'));
      await users.replace({ ...userOf('acme', 'ada'), email: 'ada@example.com' });
      expect(await users.find('ada')).toEqual(userOf('globex', 'ada'));
      expect(await userList.listOf('acme', { limit: 9 })).toEqual({ users: [] });
      expect(await userList.listOf('globex', { limit: 9 })).toEqual({
        users: [userOf('globex', 'ada')],
      });
    });
  });

  describe(`${name} as both lists of one account`, () => {
    it('keeps each apart from the other and from all else', async () => {
      const { accounts, tree, users, userList, writeOthers } = await create();
      await writeOthers();
      await accounts.add(childOf('acme', 'a1'));
      await users.add(userOf('acme', 'bob'));
      expect(await tree.listOf('acme', { limit: 9 })).toEqual({
        accounts: [childOf('acme', 'a1')],
      });
      expect(await userList.listOf('acme', { limit: 9 })).toEqual({
        users: [userOf('acme', 'bob')],
      });
    });
  });
};

directoryListsContract('memory', async () => ({
  ...inMemoryDirectory(),
  writeOthers: async () => {},
}));

describe('DynamoDB', () => {
  const tables = useTables();

  directoryListsContract('the Directory table', async () => {
    const ports = administrationPorts(tables.client, await tables.createTable('pk', 'sk'));
    return {
      ...ports,
      writeOthers: async () => {
        await ports.accounts.add({ name: 'acme', primaryAccount: 'acme', createdAt: AT });
        const token = { user: 'bob', account: 'acme', role: 'admin', createdAt: AT } as const;
        await ports.tokens.add({ ...token, id: 'tok_1', name: 'a test', hash: 'aa'.repeat(32) });
      },
    };
  });

  it('removes a user from a list that alone has the user', async () => {
    const table = await tables.createTable('pk', 'sk');
    const { users, userList } = administrationPorts(tables.client, table);
    await users.add(userOf('globex', 'bob'));
    for (const id of ['ada', 'bob']) {
      const Item = { ...accountUserKey('acme', id), ...userOf('acme', id) };
      await tables.client.send(new PutCommand({ TableName: table, Item }));
      await users.remove(userOf('acme', id));
    }
    expect(await userList.listOf('acme', { limit: 9 })).toEqual({ users: [] });
    expect(await users.find('bob')).toEqual(userOf('globex', 'bob'));
  });
});
