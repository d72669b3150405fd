import {
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestRun, type TestRun } from './support/assembly.ts';
import { createClient, receive } from './support/clients.ts';
import { namesIn, reader, readTable, type WindowEvent } from './support/stream-stack.ts';

const TABLES = ['Batches', 'Plain', 'Waiting'] as const;

describe('the event source mapping of a table’s stream', () => {
  let run: TestRun;
  let dynamodb: DynamoDBClient;

  beforeAll(async () => {
    run = await startTestRun({
      bundles: { reader },
      resources: {
        Discarded: { Type: 'AWS::SQS::Queue' },
        ...readTable('Batches', {}),
        ...readTable('Plain', {
          MaximumBatchingWindowInSeconds: 0,
          TumblingWindowInSeconds: undefined,
          ParallelizationFactor: 2,
          FilterCriteria: undefined,
        }),
        ...readTable('Waiting', { MaximumBatchingWindowInSeconds: 1, BatchSize: 1_000 }),
      },
      outputs: {
        DiscardedUrl: { Value: { Ref: 'Discarded' } },
        ...Object.fromEntries(
          TABLES.flatMap((name) => [
            [`${name}Table`, { Value: { Ref: `${name}Table` } }],
            [`${name}Sayings`, { Value: { Ref: `${name}Sayings` } }],
          ]),
        ),
      },
    });
    dynamodb = createClient(DynamoDBClient, run.aws);
  });

  afterAll(async () => {
    dynamodb.destroy();
    await run.stop();
  });

  const tableOf = (table: (typeof TABLES)[number]) => run.outputs[`${table}Table`];
  const put = (table: (typeof TABLES)[number], name: string, attributes = {}) =>
    dynamodb.send(
      new PutItemCommand({
        TableName: tableOf(table),
        Item: { thing: { S: 'a' }, name: { S: name }, ...attributes },
      }),
    );
  const putAll = async (table: (typeof TABLES)[number], ...names: string[]) => {
    for (const name of names) await put(table, name);
  };

  const nextEvent = async (table: (typeof TABLES)[number]): Promise<WindowEvent> => {
    const [message] = await receive(run.outputs[`${table}Sayings`], 1);
    return JSON.parse(message?.Body ?? 'null');
  };
  const nextEvents = async (count: number): Promise<WindowEvent[]> => {
    const events: WindowEvent[] = [];
    while (events.length < count) events.push(await nextEvent('Batches'));
    return events;
  };

  it('gives the function the changes in order, in batches', async () => {
    await put('Batches', 'kept', { body: { B: Buffer.from('bytes') }, nested: { M: {} } });
    await put('Batches', 'kept', { body: { B: Buffer.from('bytes') }, nested: { M: {} } });
    const key = { thing: { S: 'a' }, name: { S: 'kept' } };
    await dynamodb.send(
      new UpdateItemCommand({
        TableName: tableOf('Batches'),
        Key: key,
        UpdateExpression: 'SET amount = :amount REMOVE nested',
        ExpressionAttributeValues: { ':amount': { N: '12' } },
      }),
    );
    await putAll('Batches', 'second', 'third');

    const event = await nextEvent('Batches');

    const streamArn = expect.stringMatching(
      /^arn:aws:dynamodb:us-east-1:000000000000:table\/test-BatchesTable\/stream\/./,
    );
    const [inserted, modified, ...others] = event.Records as [DynamoDBRecord, DynamoDBRecord];
    expect(event).toMatchObject({
      shardId: expect.stringMatching(/^shardId-\d{20}-[0-9a-f]{8}$/),
      eventSourceARN: streamArn,
      state: {},
      isFinalInvokeForWindow: false,
      isWindowTerminatedEarly: false,
    });
    expect(inserted).toEqual({
      eventID: expect.any(String),
      eventName: 'INSERT',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      dynamodb: {
        ApproximateCreationDateTime: expect.any(Number),
        Keys: key,
        NewImage: { ...key, body: { B: 'Ynl0ZXM=' }, nested: { M: {} } },
        SequenceNumber: expect.stringMatching(/^\d{21}$/),
        SizeBytes: expect.any(Number),
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
      eventSourceARN: streamArn,
    });
    expect(modified).toMatchObject({
      eventName: 'MODIFY',
      dynamodb: {
        OldImage: { ...key, body: { B: 'Ynl0ZXM=' }, nested: { M: {} } },
        NewImage: { ...key, body: { B: 'Ynl0ZXM=' }, amount: { N: '12' } },
      },
    });
    expect(modified.dynamodb?.NewImage).not.toHaveProperty('nested');
    expect(others.map((record: DynamoDBRecord) => record.eventName)).toEqual(['INSERT', 'INSERT']);
    const positions = event.Records.map((record) => record.dynamodb?.SequenceNumber);
    expect(positions).toEqual(positions.toSorted());
  });

  it('hands over nothing of what its filter does not name', async () => {
    const Key = { thing: { S: 'a' }, name: { S: 'third' } };
    await dynamodb.send(new DeleteItemCommand({ TableName: tableOf('Batches'), Key }));
    await putAll('Batches', 'f1', 'f2', 'f3');

    expect(namesIn(await nextEvent('Batches'))).toEqual(['f1', 'f2', 'f3']);
  });

  it('hands over deletions when there is no filter, and no window', async () => {
    await put('Plain', 'one');
    const inserted = await nextEvent('Plain');
    const Key = { thing: { S: 'a' }, name: { S: 'one' } };
    await dynamodb.send(new DeleteItemCommand({ TableName: tableOf('Plain'), Key }));
    const removed = await nextEvent('Plain');

    expect(Object.keys(inserted)).toEqual(['Records']);
    expect([inserted, removed].flatMap(({ Records }) => Records.map((r) => r.eventName))).toEqual([
      'INSERT',
      'REMOVE',
    ]);
  });

  it('tries a batch that fails again, in halves and before later ones', async () => {
    await putAll('Batches', 't1', 'throws once', 't3', 't4', 't5', 't6', 't7', 't8');

    const events = await nextEvents(4);

    expect(events.map(namesIn)).toEqual([
      ['t1', 'throws once', 't3', 't4'],
      ['t1', 'throws once'],
      ['t3', 't4'],
      ['t5', 't6', 't7', 't8'],
    ]);
  });

  it('tries what is reported again, and what came after it', async () => {
    await putAll('Batches', 'r1', 'reported once', 'r3', 'r4');

    const events = await nextEvents(2);

    expect(events.map(namesIn)).toEqual([
      ['r1', 'reported once', 'r3', 'r4'],
      ['reported once', 'r3', 'r4'],
    ]);
  });

  it('takes an answer without a state for a failure, and says so', async () => {
    await putAll('Batches', 'stateless once', 's2', 's3', 's4');

    const events = await nextEvents(3);

    expect(events.map(namesIn)).toEqual([
      ['stateless once', 's2', 's3', 's4'],
      ['stateless once', 's2'],
      ['s3', 's4'],
    ]);
    const reasons = run.failures.map(({ reason }) => reason);
    expect(reasons).toContainEqual(expect.stringMatching(/The response is not valid/));
  });

  it('isolates a poisoned record, tells where it is, and goes on', async () => {
    await putAll('Batches', 'p1', 'p2', 'poison', 'p4', 'p5', 'p6', 'p7', 'p8');

    const events = await nextEvents(8);

    expect(events.map(namesIn)).toEqual([
      ['p1', 'p2', 'poison', 'p4'],
      ['p1', 'p2'],
      ['poison', 'p4'],
      ['poison'],
      ['poison'],
      ['poison'],
      ['p4'],
      ['p5', 'p6', 'p7', 'p8'],
    ]);
    const [letter] = await receive(run.outputs.DiscardedUrl);
    const poison = events[3]?.Records[0]?.dynamodb?.SequenceNumber;
    expect(JSON.parse(letter?.Body ?? '')).toMatchObject({
      requestContext: { condition: 'RetryAttemptsExhausted' },
      DDBStreamBatchInfo: {
        shardId: events[3]?.shardId,
        startSequenceNumber: poison,
        endSequenceNumber: poison,
        batchSize: 1,
      },
    });
  });

  it('gives a batch that is not full at the end of its batching window', async () => {
    await putAll('Waiting', 'w1', 'w2');

    const names: (string | undefined)[] = [];
    while (names.length < 2) names.push(...namesIn(await nextEvent('Waiting')));
    expect(names).toEqual(['w1', 'w2']);
  });
});
