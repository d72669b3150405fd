import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { DeleteMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAlarms, readOldestAges } from '../../adapters/cloudwatch/stage-metrics.ts';
import { startEmbeddedRun } from '../../local/embedded-run.ts';
import { EVERYTHING_ROLE, startTestRun, type TestRun } from '../support/local/assembly.ts';
import { createClient, receive } from '../support/local/clients.ts';

let run: TestRun;

beforeAll(async () => {
  run = await startTestRun({
    resources: { Queue: { Type: 'AWS::SQS::Queue' }, Unsent: { Type: 'AWS::SQS::Queue' } },
    outputs: {
      QueueUrl: { Value: { Ref: 'Queue' } },
      UnsentUrl: { Value: { Ref: 'Unsent' } },
      UnsentArn: { Value: { 'Fn::GetAtt': ['Unsent', 'Arn'] } },
    },
  });
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

describe('Scheduler in the embedded run', () => {
  it('sends to the dead-letter queue of the target what reaches no queue', async () => {
    const { UnsentArn, UnsentUrl } = run.outputs;
    const creation = new CreateScheduleCommand({
      Name: 'lost',
      ScheduleExpression: 'rate(1 hour)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: 'arn:aws:sqs:us-east-1:000000000000:no-such-queue',
        RoleArn: EVERYTHING_ROLE,
        Input: '{"integration":"i1"}',
        DeadLetterConfig: { Arn: UnsentArn },
      },
    });
    await createClient(SchedulerClient, run.aws).send(creation);
    const unsent = await receive(UnsentUrl);
    expect(unsent.map(({ Body }) => Body)).toEqual(['{"integration":"i1"}']);
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
