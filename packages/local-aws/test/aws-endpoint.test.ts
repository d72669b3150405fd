import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import {
  CreateScheduleCommand,
  GetScheduleCommand,
  SchedulerClient,
} from '@aws-sdk/client-scheduler';
import {
  BadRequestException,
  SESv2Client,
  SendEmailCommand,
  type SendEmailCommandInput,
} from '@aws-sdk/client-sesv2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLocalAws } from '../local-aws.ts';
import { EVERYTHING_ROLE, startTestRun, type TestRun } from './support/assembly.ts';
import { createClient, receive } from './support/clients.ts';

let run: TestRun;

beforeAll(async () => {
  run = await startTestRun({
    resources: {
      Bus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'ours' } },
      Queue: { Type: 'AWS::SQS::Queue' },
      Unsent: { Type: 'AWS::SQS::Queue' },
    },
    outputs: {
      QueueUrl: { Value: { Ref: 'Queue' } },
      UnsentUrl: { Value: { Ref: 'Unsent' } },
      UnsentArn: { Value: { 'Fn::GetAtt': ['Unsent', 'Arn'] } },
    },
  });
});

afterAll(() => run.stop());

describe('EventBridge in the embedded run', () => {
  const client = () => createClient(EventBridgeClient, run.aws);
  const Time = new Date('2026-11-20T12:00:00.000Z');
  const entry = (Detail: string, EventBusName = 'ours') => ({
    ...{ EventBusName, Detail, Time },
    ...{ Source: 'tests', DetailType: 'Tested' },
  });

  it('keeps the latest events of its buses, and refuses the others of a call', async () => {
    const Entries = [entry('{"id":1}'), entry('none'), entry('{}', 'another')];
    const answered = await client().send(new PutEventsCommand({ Entries }));

    expect(answered.FailedEntryCount).toBe(2);
    expect(answered.Entries?.map(({ ErrorCode }) => ErrorCode)).toEqual([
      undefined,
      'MalformedDetail',
      'ResourceNotFoundException',
    ]);
    for (let calls = 0; calls < 100; calls += 1) {
      const ten = Array.from({ length: 10 }, (_, index) => entry(`{"id":${10 * calls + index}}`));
      await client().send(new PutEventsCommand({ Entries: ten }));
    }
    expect(run.published).toHaveLength(1_000);
    expect(run.published.at(-1)).toEqual({
      bus: 'ours',
      source: 'tests',
      detailType: 'Tested',
      detail: { id: 999 },
      time: Time,
    });
  });

  it('takes at most ten at once', async () => {
    const Entries = Array(11).fill(entry('{}'));

    await expect(client().send(new PutEventsCommand({ Entries }))).rejects.toThrow('1 to 10');
  });
});

describe('SES in the embedded run', () => {
  const client = () => createClient(SESv2Client, run.aws);
  const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });
  const mail = (subject: string): SendEmailCommandInput => ({
    FromEmailAddress: 'webhooks@localhost',
    ConfigurationSetName: 'mail',
    Destination: { ToAddresses: ['ada@acme.example'] },
    Content: {
      Simple: {
        Subject: utf8(subject),
        Body: { Text: utf8('It failed: 500 – why?'), Html: utf8('<p>It failed</p>') },
        Headers: [{ Name: 'List-Unsubscribe', Value: '<https://console.example/>' }],
      },
    },
  });

  it('keeps the latest mails, and answers the id of each', async () => {
    const startedAt = Date.now();
    const ids = new Set<string | undefined>();
    const ses = client();
    for (let number = 0; number <= 1_000; number += 1) {
      const { MessageId } = await ses.send(new SendEmailCommand(mail(`Mail ${number}`)));
      ids.add(MessageId);
    }

    expect(ids.size).toBe(1_001);
    expect(run.mailed).toHaveLength(1_000);
    expect(run.mailed[0]?.subject).toBe('Mail 1');
    const latest = run.mailed.at(-1);
    expect(latest).toEqual({
      at: expect.any(Date),
      from: 'webhooks@localhost',
      to: ['ada@acme.example'],
      subject: 'Mail 1000',
      text: 'It failed: 500 – why?',
      html: '<p>It failed</p>',
      headers: { 'List-Unsubscribe': '<https://console.example/>' },
    });
    expect(latest?.at.getTime()).toBeGreaterThanOrEqual(startedAt);
  });

  it('refuses a mail without a recipient, and keeps nothing', async () => {
    const command = new SendEmailCommand({ ...mail('Lost'), Destination: { ToAddresses: [] } });

    await expect(client().send(command)).rejects.toThrow(BadRequestException);
    expect(run.mailed.map(({ subject }) => subject)).not.toContain('Lost');
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

interface Raw {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request with any Host, which `fetch` does not send. */
const send = ({ method, path, headers, body }: Raw) =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    request(run.aws + path, { method, headers }, async (answer) => {
      resolve({ status: answer.statusCode, text: await text(answer) });
    })
      .on('error', reject)
      .end(body);
  });

const LIST_QUEUES = {
  method: 'POST',
  path: '/',
  headers: { 'x-amz-target': 'AmazonSQS.ListQueues', 'content-type': 'application/x-amz-json-1.0' },
  body: '{}',
};

const listQueues = (headers: Record<string, string>) =>
  send({ ...LIST_QUEUES, headers: { ...LIST_QUEUES.headers, ...headers } });

describe('the AWS endpoint of the embedded run', () => {
  it.each<Record<string, string>>([
    { origin: 'https://attacker.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ])('does nothing for a web page: %o', async (headers) => {
    const schedule = {
      method: 'POST',
      path: '/schedules/planted',
      headers: { 'content-type': 'text/plain', ...headers },
      body: JSON.stringify({
        ScheduleExpression: 'rate(1 hour)',
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: {
          Arn: 'arn:aws:sqs:us-east-1:000000000000:any',
          RoleArn: EVERYTHING_ROLE,
          Input: '{}',
        },
      }),
    };

    expect(await send(schedule)).toMatchObject({ status: 403 });
    const planted = createClient(SchedulerClient, run.aws).send(
      new GetScheduleCommand({ Name: 'planted' }),
    );
    await expect(planted).rejects.toThrow('planted');
  });

  it.each(['attacker.example', 'attacker.example:80', 'localhost', 'localhost:1'])(
    'tells nothing under another name: %s',
    async (host) => {
      const { status, text: told } = await listQueues({ host });

      expect(status).toBe(421);
      expect(told).not.toContain('QueueUrls');
    },
  );

  it.each(['127.0.0.1', 'localhost', '[::1]'])('answers a program under %s', async (name) => {
    const { status, text: told } = await listQueues({ host: `${name}:${new URL(run.aws).port}` });

    expect(status).toBe(200);
    expect(told).toContain('QueueUrls');
  });
});

describe('a start of the embedded run', () => {
  it.each([
    ['apiPort', 'api', '--port'],
    ['awsPort', 'aws', '--aws-port'],
  ] as const)('names %s when it is taken', async (portOption, server, flag) => {
    const port = Number(new URL(run[server]).port);
    const options = {
      apiPort: 0,
      awsPort: 0,
      [portOption]: port,
      stateDirectory: run.stateDirectory,
      hourSeconds: 3_600,
      onFunctionFailure: () => {},
    };
    const starting = startLocalAws(options, async () => {});
    await expect(starting).rejects.toThrow(
      `Port ${port} is already taken: choose another with ${flag}.`,
    );
  });
});
