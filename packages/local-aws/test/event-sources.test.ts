import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  GetQueueAttributesCommand,
  PurgeQueueCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lambda, startTestRun, type TestRun } from './support/assembly.ts';
import { createClient, receive } from './support/clients.ts';
import { consumer } from './support/consumer.ts';

interface Saying {
  event: SQSEvent;
  functionName: string;
  remainingMs: number;
  environment: Record<string, string>;
  trusted: string[];
}

const mapping = (queue: string, properties: object) => ({
  Type: 'AWS::Lambda::EventSourceMapping',
  Properties: {
    EventSourceArn: { 'Fn::GetAtt': [queue, 'Arn'] },
    FunctionName: { Ref: 'Consumer' },
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    ScalingConfig: { MaximumConcurrency: 2 },
    ...properties,
  },
});

describe('an event source mapping', () => {
  let run: TestRun;
  let sqs: SQSClient;
  let workUrl = '';
  let sayingsUrl = '';

  beforeAll(async () => {
    run = await startTestRun({
      bundles: { consumer },
      resources: {
        Work: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 60 } },
        Sayings: { Type: 'AWS::SQS::Queue' },
        Consumer: lambda('consumer', {
          Timeout: 4,
          MemorySize: 64,
          Environment: { Variables: { SAYINGS_URL: { Ref: 'Sayings' }, GIVEN: 'by the template' } },
        }),
        Mapping: mapping('Work', { BatchSize: 10 }),
        Gathered: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 60 } },
        GatheredMapping: mapping('Gathered', { BatchSize: 12, MaximumBatchingWindowInSeconds: 60 }),
        Ordered: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } },
        OrderedMapping: mapping('Ordered', { BatchSize: 1 }),
      },
      outputs: {
        WorkUrl: { Value: { Ref: 'Work' } },
        SayingsUrl: { Value: { Ref: 'Sayings' } },
        OrderedUrl: { Value: { Ref: 'Ordered' } },
        GatheredUrl: { Value: { Ref: 'Gathered' } },
      },
    });
    workUrl = run.outputs.WorkUrl ?? '';
    sayingsUrl = run.outputs.SayingsUrl ?? '';
    sqs = createClient(SQSClient, run.aws);
  });

  beforeEach(async () => {
    await sqs.send(new PurgeQueueCommand({ QueueUrl: workUrl }));
  });

  afterAll(async () => {
    sqs.destroy();
    await run.stop();
  });

  const send = (MessageBody: string) =>
    sqs.send(new SendMessageCommand({ QueueUrl: workUrl, MessageBody, MessageGroupId: 'acme' }));

  /** The events with which the function was called. */
  const nextSaying = async (): Promise<Saying> => {
    const [message] = await receive(sayingsUrl, 1);
    return JSON.parse(message?.Body ?? 'null');
  };

  const keptMessages = async (): Promise<number> => {
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: workUrl, AttributeNames: ['All'] }),
    );
    return Number(Attributes?.ApproximateNumberOfMessagesNotVisible);
  };

  it('gives the function the message, and deletes it after success', async () => {
    const sent = await sqs.send(
      new SendMessageCommand({
        QueueUrl: workUrl,
        MessageBody: 'nothing',
        MessageGroupId: 'acme',
        MessageAttributes: { reason: { DataType: 'String', StringValue: 'because' } },
      }),
    );
    const { event } = await nextSaying();
    expect(event.Records).toEqual([
      {
        messageId: sent.MessageId,
        receiptHandle: expect.any(String),
        body: 'nothing',
        attributes: {
          ApproximateReceiveCount: '1',
          SentTimestamp: expect.stringMatching(/^\d{13}$/),
          ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
          SenderId: '000000000000',
          MessageGroupId: 'acme',
        },
        messageAttributes: {
          reason: {
            stringValue: 'because',
            stringListValues: [],
            binaryListValues: [],
            dataType: 'String',
          },
        },
        md5OfBody: sent.MD5OfMessageBody,
        md5OfMessageAttributes: sent.MD5OfMessageAttributes,
        eventSource: 'aws:sqs',
        eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:test-Work',
        awsRegion: 'us-east-1',
      },
    ]);
    await expect.poll(keptMessages).toBe(0);
  });

  it('gives the function the variables of its template and of Lambda alone', async () => {
    process.env.SECRET_OF_THIS_MACHINE = 'not for functions';
    await send('nothing');
    const { environment, functionName, remainingMs, trusted } = await nextSaying();
    expect(environment).toMatchObject({
      GIVEN: 'by the template',
      SAYINGS_URL: sayingsUrl,
      AWS_REGION: 'us-east-1',
      AWS_LAMBDA_FUNCTION_NAME: 'consumer',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '64',
      AWS_ENDPOINT_URL: run.aws,
    });
    expect(environment).not.toHaveProperty('SECRET_OF_THIS_MACHINE');
    expect(functionName).toBe('consumer');
    expect(remainingMs).toBeGreaterThan(0);
    expect(remainingMs).toBeLessThanOrEqual(4_000);
    const authority = await readFile(run.certificates.caFile, 'utf8');
    expect(trusted.map((pem) => pem.trim())).toContain(authority.trim());
  });

  it('writes what the function prints to a log of its own', async () => {
    await send('nothing');
    await nextSaying();
    const log = join(run.stateDirectory, 'logs', 'consumer.log');
    await expect.poll(() => readFile(log, 'utf8')).toContain('doing nothing\n');
  });

  it('keeps only the messages that the function reports', async () => {
    await sqs.send(
      new SendMessageBatchCommand({
        QueueUrl: workUrl,
        Entries: ['partial', 'partial failing', 'partial'].map((MessageBody, index) => ({
          Id: `${index}`,
          MessageBody,
        })),
      }),
    );
    const bodies: string[] = [];
    while (bodies.length < 3) {
      const { event } = await nextSaying();
      bodies.push(...event.Records.map(({ body }) => body));
    }
    await expect.poll(keptMessages).toBe(1);
  });

  it('gathers a batch of more than ten within its window', async () => {
    for (const size of [7, 5]) {
      await sqs.send(
        new SendMessageBatchCommand({
          QueueUrl: run.outputs.GatheredUrl,
          Entries: Array.from({ length: size }, (_, index) => ({
            Id: `${index}`,
            MessageBody: 'nothing',
          })),
        }),
      );
    }
    expect((await nextSaying()).event.Records).toHaveLength(12);
  });

  it('keeps the order of a group in a FIFO queue', async () => {
    const bodies = ['nothing 1', 'nothing 2', 'nothing 3', 'nothing 4'];
    for (const MessageBody of bodies) {
      await sqs.send(
        new SendMessageCommand({
          QueueUrl: run.outputs.OrderedUrl,
          MessageBody,
          MessageGroupId: 'acme',
          MessageDeduplicationId: MessageBody,
        }),
      );
    }
    const seen: unknown[] = [];
    while (seen.length < bodies.length) seen.push((await nextSaying()).event.Records[0]?.body);
    expect(seen).toEqual(bodies);
  });

  it.each([
    ['throws', 'throw', /the handler threw/, /TypeError: the handler threw\n\s+at .*index\.mjs/],
    [
      'runs out of time',
      'hang',
      /^Sandbox.Timedout: Task timed out after 4\.00 seconds$/,
      undefined,
    ],
    [
      'never lets go of its thread',
      'spin',
      /^Sandbox.Timedout: Task timed out after 4\.00 seconds$/,
      undefined,
    ],
    ['exits', 'exit', /The runtime exited with code 0/, undefined],
    ['crashes outside of its handler', 'crash', /out of band/, /RangeError: out of band/],
    ['uses up its memory', 'exhaust', /memory limit/, /./],
    ['reports no identifier', 'nullIdentifier', /does not tell which/, undefined],
    ['reports an empty identifier', 'emptyIdentifier', /does not tell which/, undefined],
    ['reports an unknown message', 'unknownIdentifier', /does not tell which/, undefined],
    ['reports something else', 'malformed', /does not tell which/, undefined],
  ])(
    'keeps the batch, tells why and goes on when the function %s',
    async (_case, deed, reason, stack) => {
      await send(deed);
      await nextSaying();
      const failure = await run.failureOf('consumer');
      expect(failure.reason).toMatch(reason);
      if (stack) expect(failure.stack).toMatch(stack);
      expect(await keptMessages()).toBe(1);

      await send('nothing');
      expect((await nextSaying()).event.Records[0]?.body).toBe('nothing');
    },
  );
});
