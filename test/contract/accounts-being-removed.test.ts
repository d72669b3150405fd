import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { administrationPorts } from '../../adapters/dynamodb/directory/administration-ports.ts';
import { DynamoDbIntegrationWriter } from '../../adapters/dynamodb/integrations/integration-writer.ts';
import type { IssuedToken, IssuedTokens } from '../../core/directory/access-token.ts';
import type { Account, Accounts } from '../../core/directory/account.ts';
import type { IntegrationWriter } from '../../core/integration/integration-store.ts';
import { inMemoryStores } from '../support/directory/account-removal.ts';
import { anIntegration } from '../support/integration/integrations.ts';

interface Stores {
  readonly accounts: Accounts;
  readonly tokens: Pick<IssuedTokens, 'add' | 'listOf'>;
  readonly integrations: Pick<IntegrationWriter, 'add'>;
}

const AT = new Date('2026-11-20T12:00:00.000Z');

const ACME: Account = { name: 'acme', primaryAccount: 'acme', createdAt: AT.toISOString() };

const tokenOf = (account: string, number = 1): IssuedToken => ({
  ...{ id: `tok_${account}_${number}`, hash: `${account} ${number}`, account },
  ...{ name: 'a test', user: 'ada', role: 'admin', createdAt: AT.toISOString() },
});

const idOf = (number: number): string => `${number}`.padStart(12, '0');

/** What becomes of an integration, one with a key, and a token. */
const addedTo = async (account: string, { integrations, tokens }: Stores) => {
  const record = { account, key: 'key', bodyHash: 'aa', integration: idOf(2), expiresAt: AT };
  return Promise.all([
    integrations.add(anIntegration({ account, id: idOf(1) })),
    integrations.add(anIntegration({ account, id: idOf(2) }), { record, replaced: undefined }),
    tokens.add(tokenOf(account)),
  ]);
};

const removalContract = (name: string, create: () => Promise<Stores>) =>
  describe(`an account that is being removed in ${name}`, () => {
    it('gets nothing new, before it is removed and afterwards, and others do', async () => {
      const stores = await create();
      await stores.accounts.add(ACME);
      const nothing = ['no-account', 'no-account', 'no-account'];

      await stores.accounts.beginRemoval(ACME, AT);
      expect(await stores.accounts.find('acme')).toEqual(ACME);
      expect(await stores.accounts.removedAt('acme')).toBe(AT.toISOString());
      expect(await addedTo('acme', stores)).toEqual(nothing);
      await stores.accounts.remove(ACME, AT);

      expect(await addedTo('acme', stores)).toEqual(nothing);
      expect(await stores.tokens.listOf('acme')).toEqual([]);
      expect(await addedTo('globex', stores)).toEqual(['added', 'added', 'added']);
    });

    it('leaves a later account of its name free', async () => {
      const stores = await create();
      await stores.accounts.add(ACME);
      await stores.accounts.remove(ACME, AT);
      await stores.accounts.add(ACME);

      expect(await stores.accounts.removedAt('acme')).toBeUndefined();
      expect(await addedTo('acme', stores)).toEqual(['added', 'added', 'added']);
    });

    it('is told from one that gets much at once', async () => {
      const stores = await create();
      const added = Array.from({ length: 20 }, (_, number) => [
        stores.integrations.add(anIntegration({ id: idOf(number) })),
        stores.tokens.add(tokenOf('acme', number)),
      ]).flat();

      expect(new Set(await Promise.all(added))).toEqual(new Set(['added']));
    });
  });

removalContract('memory', async () => {
  const { directory, integrations } = inMemoryStores();
  return { accounts: directory.accounts, tokens: directory.tokens, integrations };
});

describe('DynamoDB', () => {
  const tables = useTables();

  removalContract('tables Directory and Integrations', async () => {
    const directoryTable = await tables.createTable('pk', 'sk');
    const table = await tables.createTable('account', 'id');
    const { accounts, tokens } = administrationPorts(tables.client, directoryTable);
    const integrations = new DynamoDbIntegrationWriter(tables.client, table, { directoryTable });
    return { accounts, tokens, integrations };
  });
});
