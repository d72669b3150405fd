import {
  type DynamoDBDocumentClient,
  ExecuteStatementCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import { useTables } from 'local-aws/test/support/tables.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { DynamoDbIntegrationWriter } from '../../adapters/dynamodb/integrations/integration-writer.ts';
import { DynamoDbSubscriptions } from '../../adapters/dynamodb/integrations/subscriptions.ts';
import type { Integration } from '../../core/integration/integration.ts';
import { operationsOf, watchedClient } from '../support/adapters/watched-client.ts';
import { anIntegration } from '../support/integration/integrations.ts';

const IDS = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc'] as const;
const SLOW = { score: 12, notedAt: '2026-11-20T12:00:00.000Z' };
const [OF_ACME, PAUSED, OF_GLOBEX] = [
  anIntegration({ account: 'acme', id: IDS[0], slowness: SLOW }),
  anIntegration({
    ...{ account: 'acme', id: IDS[1], active: false },
    inactiveSince: '2026-11-20T12:00:00.000Z',
  }),
  anIntegration({ account: 'globex', id: IDS[2] }),
];

const subscriptionOf = (integration: Integration) => {
  const { account, id, active, inactiveSince, settings, slowness } = integration;
  return {
    ...{ account, id, active, settings },
    ...(inactiveSince && { inactiveSince }),
    ...(slowness && { slowness }),
  };
};

describe('The subscriptions of accounts', () => {
  const tables = useTables();
  let table: string;
  let faults: unknown[];
  beforeEach(async () => {
    faults = [];
    table = await tables.createTable('account', 'id');
  });

  const add = async (...integrations: readonly Integration[]): Promise<void> => {
    const store = new DynamoDbIntegrationWriter(tables.client, table);
    for (const integration of integrations) await store.add(integration);
  };

  /** Reads accounts at the same time, each with its result. */
  const read = (client: DynamoDBDocumentClient, accounts: readonly string[]) => {
    const subscriptions = new DynamoDbSubscriptions(client, table, {
      onUnreadAtOnce: (fault) => faults.push(fault),
    });
    return Promise.allSettled(accounts.map((account) => subscriptions.ofAccount(account)));
  };
  const found = (...integrations: readonly Integration[]) => ({
    status: 'fulfilled',
    value: integrations.map(subscriptionOf),
  });

  it('are read by one call for a batch, also of one account named twice', async () => {
    await add(OF_ACME, PAUSED, OF_GLOBEX);
    const { client, sent } = watchedClient(tables.client);
    expect(await read(client, ['acme', 'globex', 'acme', 'initech'])).toEqual([
      found(OF_ACME, PAUSED),
      found(OF_GLOBEX),
      found(OF_ACME, PAUSED),
      found(),
    ]);
    expect(operationsOf(sent)).toEqual(['ExecuteStatement']);
    const [{ input }] = sent as [ExecuteStatementCommand];
    expect(input.ConsistentRead).toBe(true);
  });

  it('are queried when they are those of one account', async () => {
    await add(OF_ACME, OF_GLOBEX);
    const { client, sent } = watchedClient(tables.client);
    expect(await read(client, ['acme', 'acme'])).toEqual([found(OF_ACME), found(OF_ACME)]);
    expect(operationsOf(sent)).toEqual(['Query']);
  });

  it.each([
    ['10', 'by one call', 10, ['ExecuteStatement']],
    ['11', 'page by page', 11, ['ExecuteStatement', 'ExecuteStatement']],
    ['40', 'page by page', 40, Array(4).fill('ExecuteStatement')],
    [
      '41',
      'and by a query of each account',
      41,
      [...Array(4).fill('ExecuteStatement'), 'Query', 'Query'],
    ],
  ])('are read whole when they are %s, %s', async (_count, _how, count, operations) => {
    const ofAcme = Array.from({ length: count - 1 }, (_, index) =>
      anIntegration({ account: 'acme', id: String(index).padStart(12, '0') }),
    );
    await add(...ofAcme, OF_GLOBEX);
    const { client, sent } = watchedClient(tables.client);
    expect(await read(client, ['acme', 'globex'])).toEqual([found(...ofAcme), found(OF_GLOBEX)]);
    expect(operationsOf(sent)).toEqual(operations);
    expect(faults).toEqual([]);
  });

  it('are read to the end, when they take several pages', async () => {
    const { config, settings } = anIntegration();
    const note = 'x'.repeat(300_000);
    const large = ['1', '2', '3', '4', '5', '6'].map((id) =>
      anIntegration({
        account: Number(id) < 3 ? 'acme' : 'globex',
        id,
        config,
        settings: { ...settings, note } as Integration['settings'],
      }),
    );
    await add(...large);
    const { client, sent } = watchedClient(tables.client);
    expect(await read(client, ['acme', 'globex', 'initech'])).toEqual([
      found(...large.slice(0, 2)),
      found(...large.slice(2)),
      found(),
    ]);
    expect(sent.length).toBeGreaterThan(1);
  });

  it('fail for an account that cannot be read alone, with the fault', async () => {
    await add(OF_ACME, OF_GLOBEX);
    const throttled = new Error('Throttled.');
    const { client } = watchedClient(tables.client, {
      onCommand: (command) => {
        const isOfAcme =
          command instanceof QueryCommand &&
          command.input.ExpressionAttributeValues?.[':account'] === 'acme';
        if (command instanceof ExecuteStatementCommand || isOfAcme) throw throttled;
      },
    });
    expect(await read(client, ['acme', 'globex'])).toEqual([
      { status: 'rejected', reason: throttled },
      found(OF_GLOBEX),
    ]);
    expect(faults).toEqual([throttled]);
  });
});
