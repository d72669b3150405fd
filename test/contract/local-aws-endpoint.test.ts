import { connect } from 'node:net';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import {
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { DeleteMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readAlarms, readOldestAges } from '../../adapters/cloudwatch/stage-metrics.ts';
import { startEmbeddedRun } from '../../local/embedded-run.ts';
import { startTestRun, type TestRun } from '../support/local/assembly.ts';
import { createClient, receive } from '../support/local/clients.ts';

let run: TestRun;
let dynamo: DynamoDBClient;

beforeAll(async () => {
  run = await startTestRun({
    resources: {
      Queue: { Type: 'AWS::SQS::Queue' },
      Table: {
        Type: 'AWS::DynamoDB::Table',
        Properties: {
          AttributeDefinitions: [
            { AttributeName: 'pk', AttributeType: 'S' },
            { AttributeName: 'sk', AttributeType: 'S' },
          ],
          KeySchema: [
            { AttributeName: 'pk', KeyType: 'HASH' },
            { AttributeName: 'sk', KeyType: 'RANGE' },
          ],
          BillingMode: 'PAY_PER_REQUEST',
          TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
        },
      },
    },
    outputs: { QueueUrl: { Value: { Ref: 'Queue' } }, TableName: { Value: { Ref: 'Table' } } },
  });
  dynamo = createClient(DynamoDBClient, run.aws);
});

afterAll(() => run.stop());

describe('CloudWatch in the embedded run', () => {
  const client = () => createClient(CloudWatchClient, run.aws);
  const queueName = () => run.outputs.QueueUrl?.split('/').at(-1) ?? '';
  const later = new Date(Date.now() + 60_000);

  it('tells the age of a queue’s oldest message, received or not, and none of an empty queue', async () => {
    const { QueueUrl } = run.outputs;
    const sqs = createClient(SQSClient, run.aws);
    expect(await readOldestAges(client(), [queueName(), 'another'], later)).toEqual(new Map());
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' }));

    const ages = await readOldestAges(client(), ['another', queueName()], later);
    expect([...ages.keys()]).toEqual([queueName()]);
    expect(ages.get(queueName())).toBeGreaterThanOrEqual(0);
    const [message] = await receive(QueueUrl);
    expect((await readOldestAges(client(), [queueName()], later)).size).toBe(1);
    await sqs.send(
      new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message?.ReceiptHandle ?? '' }),
    );
  });

  it('has no alarms, and says so', async () => {
    await expect(readAlarms(client(), 'integrations-')).rejects.toThrow(
      'The embedded run has no alarms',
    );
  });
});

describe('DynamoDB in the embedded run', () => {
  it('has the tables of the template', async () => {
    const { TableNames } = await dynamo.send(new ListTablesCommand({}));
    expect(TableNames).toEqual([run.outputs.TableName]);
  });

  it('writes on condition, reads and queries', async () => {
    const { TableName } = run.outputs;
    const Item = { pk: { S: 'account' }, sk: { S: 'integration' }, revision: { N: '1' } };
    const put = new PutItemCommand({
      TableName,
      Item,
      ConditionExpression: 'attribute_not_exists(pk)',
    });
    await dynamo.send(put);
    await expect(dynamo.send(put)).rejects.toThrow(
      expect.objectContaining({ name: 'ConditionalCheckFailedException' }),
    );
    const Key = { pk: { S: 'account' }, sk: { S: 'integration' } };
    const read = await dynamo.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
    expect(read.Item).toEqual(Item);
    const query = await dynamo.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'account' } },
      }),
    );
    expect(query.Items).toEqual([Item]);
    await dynamo.send(new DeleteItemCommand({ TableName, Key }));
  });
});

describe('CloudFormation in the embedded run', () => {
  it('describes the stacks that run, with their outputs', async () => {
    const { Stacks = [] } = await createClient(CloudFormationClient, run.aws).send(
      new DescribeStacksCommand({ StackName: 'test' }),
    );
    expect(Stacks.map(({ StackName, StackStatus }) => [StackName, StackStatus])).toEqual([
      ['test', 'CREATE_COMPLETE'],
    ]);
    const outputs = Stacks[0]?.Outputs?.map(({ OutputKey, OutputValue }) => [
      OutputKey,
      OutputValue,
    ]);
    expect(Object.fromEntries(outputs ?? [])).toEqual(run.outputs);
  });

  it('says when there is no such stack', async () => {
    const describing = createClient(CloudFormationClient, run.aws).send(
      new DescribeStacksCommand({ StackName: 'nowhere' }),
    );
    await expect(describing).rejects.toThrow('Stack with id nowhere does not exist');
  });
});

describe('the AWS endpoint', () => {
  it.each([
    ['AmazonSQS.SendMessage', 'null'],
    ['AmazonSQS.SendMessage', '{'],
    ['AmazonSQS.SendMessage', '{"QueueUrl":5}'],
    ['AmazonSQS.SendMessageBatch', '{"QueueUrl":"x/test-Queue","Entries":[null]}'],
    ['DynamoDB_20120810.PutItem', 'null'],
    ['DynamoDB_20120810.PutItem', '[]'],
    ['DynamoDB_20120810.Query', '{"TableName":5}'],
    ['AWSLambda.Invoke', '{}'],
  ])('calls %s with %s the caller’s fault', async (target, body) => {
    const response = await fetch(run.aws, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': target,
        'x-amz-date': '20261120T000000Z',
        authorization: 'AWS4-HMAC-SHA256 Credential=a, SignedHeaders=host, Signature=b',
      },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toHaveProperty('__type');
  });

  it('outlives a client that goes away in the middle of a body', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(run.aws).port), '127.0.0.1', () => {
        socket.write(
          'POST / HTTP/1.1\r\nhost: x\r\nx-amz-target: DynamoDB_20120810.PutItem\r\n' +
            'content-length: 1000\r\n\r\n{',
          () => socket.destroy(),
        );
      });
      socket.on('close', () => resolve());
    });
    const { TableNames } = await dynamo.send(new ListTablesCommand({}));
    expect(TableNames).toHaveLength(1);
  });
});

describe('whoever stands before the AWS endpoint', () => {
  it('can have a request take effect and lose its answer', async () => {
    const losing = await startTestRun(
      {
        resources: { Queue: { Type: 'AWS::SQS::Queue' } },
        outputs: { QueueUrl: { Value: { Ref: 'Queue' } } },
      },
      {
        interceptAws: async (request, answer) => {
          const answered = await answer();
          if (request.body.includes('lose the answer')) throw new Error('It is lost.');
          return answered;
        },
      },
    );
    onTestFinished(losing.stop);
    const { QueueUrl } = losing.outputs;
    const sending = fetch(losing.aws, {
      method: 'POST',
      body: JSON.stringify({ QueueUrl, MessageBody: 'lose the answer' }),
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'AmazonSQS.SendMessage',
      },
    });
    await expect(sending).rejects.toThrow();
    expect((await receive(QueueUrl)).map(({ Body }) => Body)).toEqual(['lose the answer']);
  });
});

describe('a start of the embedded run', () => {
  it.each([
    ['apiPort', 'api', '--port'],
    ['awsPort', 'aws', '--aws-port'],
  ] as const)('names %s when it is taken', async (portOption, server, flag) => {
    const port = Number(new URL(run[server]).port);
    const starting = startEmbeddedRun({
      apiPort: 0,
      awsPort: 0,
      [portOption]: port,
      stateDirectory: run.stateDirectory,
      hourSeconds: 3_600,
      onFunctionFailure: () => {},
    });
    await expect(starting).rejects.toThrow(
      `Port ${port} is already taken: choose another with ${flag}.`,
    );
  });
});
