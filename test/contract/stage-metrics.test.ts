import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { DeleteMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { startTestRun, type TestRun } from 'local-aws/test/support/assembly.ts';
import { createClient, receive } from 'local-aws/test/support/clients.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAlarms, readOldestAges } from '../../adapters/cloudwatch/stage-metrics.ts';

let run: TestRun;

beforeAll(async () => {
  run = await startTestRun({
    resources: { Queue: { Type: 'AWS::SQS::Queue' } },
    outputs: { QueueUrl: { Value: { Ref: 'Queue' } } },
  });
});
afterAll(() => run.stop());

describe('The metrics of a stage', () => {
  const client = () => createClient(CloudWatchClient, run.aws);
  const queueName = () => run.outputs.QueueUrl?.split('/').at(-1) ?? '';
  const later = new Date(Date.now() + 60_000);

  it('returns the age of a queue’s oldest message, and none for an empty one', async () => {
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
