import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const VERSION = '4.0.0';

it('dynalite has the version whose internals local/aws/ was written for', async () => {
  const file = new URL('../../node_modules/dynalite/package.json', import.meta.url);
  const { version } = JSON.parse(await readFile(file, 'utf8'));
  expect(version, 'dynalite-internals.ts, item-store.ts and tables.ts must be read anew').toBe(
    VERSION,
  );
});

/** local/aws/ uses files of dynalite, and a store of its own: dynalite may change both. */
describe(`dynalite ${VERSION}`, () => {
  const TableName = 'things';
  const item = (pk: string, sk: number, more: object = {}) => ({
    pk: { S: pk },
    sk: { N: String(sk) },
    ...more,
  });

  const startTable = async () => {
    // Not imported at the top: the test of the version must also run when dynalite has moved files.
    const { createTables } = await import('../../local/aws/tables.ts');
    const tables = createTables();
    await tables.create({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'N' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    });
    return async (operation: string, input: object, headers: object = SIGNED) => {
      const { status, body } = await tables.handle({
        headers: { ...headers, 'x-amz-target': `DynamoDB_20120810.${operation}` },
        input: JSON.parse(JSON.stringify({ TableName, ...input })),
      });
      return { status, ...JSON.parse(String(body)) };
    };
  };

  const SIGNED = {
    'x-amz-date': '20261120T000000Z',
    authorization: 'AWS4-HMAC-SHA256 Credential=a, SignedHeaders=host, Signature=b',
  };

  const query = (pk: string, more: object = {}) => ({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: pk } },
    ...more,
  });

  it('sorts a partition by its sort key, both ways, and pages it', async () => {
    const call = await startTable();
    for (const sk of [10, 9, -1, 100]) await call('PutItem', { Item: item('a', sk) });
    await call('PutItem', { Item: item('b', 1) });
    const up = await call('Query', query('a'));
    expect(up.Items).toEqual([-1, 9, 10, 100].map((sk) => item('a', sk)));
    const newest = await call('Query', query('a', { ScanIndexForward: false, Limit: 3 }));
    expect(newest.Items).toEqual([100, 10, 9].map((sk) => item('a', sk)));
    const rest = await call(
      'Query',
      query('a', { ScanIndexForward: false, ExclusiveStartKey: newest.LastEvaluatedKey }),
    );
    expect(rest.Items).toEqual([item('a', -1)]);
    expect(rest.LastEvaluatedKey).toBeUndefined();
    expect((await call('Scan', {})).Count).toBe(5);
  });

  it('writes and reads batches, updates, and deletes', async () => {
    const call = await startTable();
    const Items = [item('a', 1), item('a', 2), item('b', 1)];
    await call('BatchWriteItem', {
      RequestItems: { [TableName]: Items.map((Item) => ({ PutRequest: { Item } })) },
    });
    await call('DeleteItem', { Key: item('a', 2) });
    const updated = await call('UpdateItem', {
      Key: item('b', 1),
      UpdateExpression: 'ADD tries :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
      ReturnValues: 'ALL_NEW',
    });
    expect(updated.Attributes).toEqual(item('b', 1, { tries: { N: '1' } }));
    const read = await call('BatchGetItem', { RequestItems: { [TableName]: { Keys: Items } } });
    expect(read.Responses[TableName]).toHaveLength(2);
    expect(read.Responses[TableName]).toEqual(
      expect.arrayContaining([item('a', 1), item('b', 1, { tries: { N: '1' } })]),
    );
  });

  it('lets one of several changes at the same moment win that exclude each other', async () => {
    const call = await startTable();
    const answers = await Promise.all(
      [1, 2, 3].map((value) =>
        call('PutItem', {
          Item: item('a', 1, { value: { N: String(value) } }),
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      ),
    );
    const refused = answers.filter(({ __type = '' }) => /ConditionalCheckFailed/.test(__type));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
    expect(refused).toHaveLength(2);
  });

  it('says that there is no such table', async () => {
    const call = await startTable();
    const answer = await call('GetItem', { TableName: 'nothings', Key: item('a', 1) });
    expect(answer).toMatchObject({
      status: 400,
      __type: expect.stringMatching(/#ResourceNotFoundException$/),
    });
  });

  it('refuses what is not signed, and what is not emulated', async () => {
    const call = await startTable();
    const { authorization: _signature, ...unsigned } = SIGNED;
    await expect(call('GetItem', { Key: item('a', 1) }, unsigned)).rejects.toThrow(
      expect.objectContaining({ code: 'MissingAuthenticationTokenException' }),
    );
    await expect(call('DeleteTable', {})).rejects.toThrow(
      expect.objectContaining({ code: 'UnknownOperationException' }),
    );
  });
});
