import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { AwsRequest } from 'local-aws/aws/aws-request.ts';
import { describe, expect, it } from 'vitest';
import { AwsMeter } from '../../../bench/cost/aws-meter.ts';

const noClient = {
  send: () => {
    throw new Error('No item is read back.');
  },
} as unknown as DynamoDBClient;

/** What the meter counts for a call that a function makes. */
const unitsOf = async (target: string, input: object, output: object = {}) => {
  const meter = new AwsMeter();
  const headers = {
    'x-amz-target': target,
    'user-agent': 'integrations/deliver-webhook',
  };
  const request = { headers, body: Buffer.from(JSON.stringify(input)) } as unknown as AwsRequest;
  await meter.intercept(request, async () => ({
    status: 200,
    headers: [],
    body: JSON.stringify(output),
  }));
  const [usage] = await meter.takeUsages(noClient);
  return usage;
};

const DYNAMODB = 'DynamoDB_20120810';
const itemOf = (bytes: number) => ({ b: { S: 'x'.repeat(bytes - 1) } });

describe('the units of a call', () => {
  it('rounds each item of a batch of writes up to 1 KB', async () => {
    const puts = [itemOf(100), itemOf(1_024), itemOf(1_025)].map((Item) => ({
      PutRequest: { Item },
    }));
    const usage = await unitsOf(`${DYNAMODB}.BatchWriteItem`, { RequestItems: { log: puts } });
    expect(usage).toMatchObject({ by: 'deliver-webhook', calls: 1, writeUnits: 1 + 1 + 2 });
  });

  it('rounds each item of a batch of reads up to 4 KB, also a missing one', async () => {
    const Keys = [{ id: { S: 'a' } }, { id: { S: 'b' } }, { id: { S: 'c' } }];
    const found = { Responses: { log: [itemOf(100), itemOf(5_000)] } };
    const eventually = { RequestItems: { log: { Keys } } };
    const consistently = { RequestItems: { log: { Keys, ConsistentRead: true } } };
    const target = `${DYNAMODB}.BatchGetItem`;
    expect(await unitsOf(target, consistently, found)).toMatchObject({ readUnits: 1 + 2 + 1 });
    expect(await unitsOf(target, eventually, found)).toMatchObject({ readUnits: 2 });
  });

  it('adds the items of a query up before it rounds', async () => {
    const Items = [itemOf(3_000), itemOf(3_000)];
    const usage = await unitsOf(`${DYNAMODB}.Query`, { ConsistentRead: true }, { Items });
    expect(usage).toMatchObject({ readUnits: 2 });
  });

  it('rounds each partition of a selection up to 4 KB, also an empty one', async () => {
    const Items = ['a', 'a', 'b'].map((key) => ({ ...itemOf(2_500), key: { S: key } }));
    const selection = {
      Statement: 'SELECT "b" FROM "log" WHERE "key" IN [?, ?, ?]',
      Parameters: [{ S: 'a' }, { S: 'b' }, { S: 'c' }],
      ConsistentRead: true,
    };
    const usage = await unitsOf(`${DYNAMODB}.ExecuteStatement`, selection, { Items });
    expect(usage).toMatchObject({ calls: 1, readUnits: 2 + 1 + 1 });
  });

  it('rounds each inserted item up to 1 KB, and counts a deletion as one', async () => {
    const insertionOf = (bytes: number) => ({
      Statement: `INSERT INTO "log" VALUE {'b': ?}`,
      Parameters: [itemOf(bytes).b],
    });
    const deletion = { Statement: `DELETE FROM "log" WHERE "id" = ?`, Parameters: [{ S: 'a' }] };
    const Statements = [insertionOf(1_024), insertionOf(1_025), deletion];
    const usage = await unitsOf(`${DYNAMODB}.BatchExecuteStatement`, { Statements });
    expect(usage).toMatchObject({ calls: 1, writeUnits: 1 + 2 + 1 });
  });

  it('counts a request of SQS for each 64 KB', async () => {
    const Entries = [{ MessageBody: 'x'.repeat(40_000) }, { MessageBody: 'x'.repeat(40_000) }];
    expect(await unitsOf('AmazonSQS.SendMessageBatch', { Entries })).toMatchObject({
      calls: 1,
      sqsRequests: 2,
    });
  });

  it('refuses an action that it cannot count', async () => {
    await expect(unitsOf(`${DYNAMODB}.Scan`, {})).rejects.toThrow('Scan');
  });
});
