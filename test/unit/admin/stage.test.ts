import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Connection, connect } from '../../../admin/connection.ts';
import { QUEUES } from '../../../admin/stage-queues.ts';
import type { StageStatus } from '../../../admin/stage-status.ts';
import { chooseTarget } from '../../../admin/target.ts';
import { commandLineInMemory } from '../../support/directory/command-line-in-memory.ts';
import { RUN_ENDPOINTS } from '../../support/local/run-endpoints.ts';

const AT_RUN = {
  stage: 'local',
  clientConfig: { endpoint: RUN_ENDPOINTS.aws, region: RUN_ENDPOINTS.region },
};
const IN_AWS = { place: 'AWS', clientConfig: {} };

describe('what the operator’s command line acts on', () => {
  it.each([
    { AWS_REGION: 'eu-central-1' },
    { AWS_PROFILE: 'acme-dev' },
    { AWS_ACCESS_KEY_ID: 'AKIA…' },
    { AWS_WEB_IDENTITY_TOKEN_FILE: '/token' },
  ])('is the embedded run when one is described, whatever the credentials: %o', (environment) => {
    expect(chooseTarget(undefined, environment, RUN_ENDPOINTS)).toMatchObject(AT_RUN);
  });

  it.each([{}, { AWS_PROFILE: 'acme-dev' }])(
    'is nothing, least of all AWS, without a run and without a stage: %o',
    (environment) => {
      expect(() => chooseTarget(undefined, environment, undefined)).toThrow(
        /start one with "npm start", or name a deployed stage with --stage/,
      );
    },
  );

  it.each([RUN_ENDPOINTS, undefined])(
    'is nothing without a stage where AWS_ENDPOINT_URL names another place',
    (run) => {
      const environment = { AWS_ENDPOINT_URL: 'http://127.0.0.1:9999' };
      expect(() => chooseTarget(undefined, environment, run)).toThrow('with --stage, or unset');
    },
  );

  it('is the embedded run when AWS_ENDPOINT_URL is its endpoint', () => {
    const environment = { AWS_ENDPOINT_URL: `${RUN_ENDPOINTS.aws}/`, AWS_ACCESS_KEY_ID: 'test' };
    expect(chooseTarget(undefined, environment, RUN_ENDPOINTS)).toMatchObject(AT_RUN);
  });

  it('is the stage that is asked for, run or not', () => {
    expect(chooseTarget('prod', {}, RUN_ENDPOINTS)).toEqual({ stage: 'prod', ...IN_AWS });
  });

  it('is never AWS for stage local', () => {
    expect(chooseTarget('local', { AWS_PROFILE: 'acme-dev' }, RUN_ENDPOINTS)).toMatchObject(AT_RUN);
    expect(() => chooseTarget('local', { AWS_PROFILE: 'acme-dev' }, undefined)).toThrow(
      'start one with "npm start"',
    );
  });

  it('is a stage at another endpoint that AWS_ENDPOINT_URL names', () => {
    const environment = { AWS_ENDPOINT_URL: 'http://127.0.0.1:9999' };
    expect(chooseTarget('dev', environment, RUN_ENDPOINTS)).toEqual({
      stage: 'dev',
      place: 'http://127.0.0.1:9999',
      clientConfig: {},
    });
  });

  it('is another emulator for stage local when AWS_ENDPOINT_URL names it', () => {
    const environment = { AWS_ENDPOINT_URL: 'http://127.0.0.1:9999' };
    expect(chooseTarget('local', environment, RUN_ENDPOINTS)).toMatchObject({
      stage: 'local',
      place: 'http://127.0.0.1:9999',
      clientConfig: {},
    });
  });
});

const NOW = new Date('2026-11-20T12:00:00.000Z');

/** Of a stage that sends no e-mails. */
const outputsXml = QUEUES.filter(({ queue }) => queue !== 'notices')
  .map(
    ({ output }) =>
      `<member><OutputKey>${output}</OutputKey><OutputValue>http://sqs/0/${output}</OutputValue></member>`,
  )
  .join('');

const tablesXml = ['DeliveryLog', 'Integrations']
  .map(
    (table) =>
      `<member><OutputKey>${table}TableName</OutputKey><OutputValue>${table}</OutputValue></member>`,
  )
  .join('');

const describeStacks = (name: string | null) => `
  <DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>${name}</StackName>
    <StackStatus>UPDATE_COMPLETE</StackStatus><CreationTime>2026-11-01T00:00:00Z</CreationTime>
    <LastUpdatedTime>2026-11-19T00:00:00Z</LastUpdatedTime>
    <Outputs><member><OutputKey>Version</OutputKey><OutputValue>0.1.0</OutputValue></member>${outputsXml}${tablesXml}</Outputs>
  </member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;

const alarm = (name: string, StateValue: string) => ({
  AlarmName: `integrations-prod-service-${name}`,
  StateValue,
  StateTransitionedTimestamp: Date.parse('2026-11-20T11:00:00Z') / 1_000,
  AlarmDescription: `${name} is what it means.`,
  ActionsEnabled: name !== 'Quiet',
  AlarmActions: ['arn:aws:sns:eu-central-1:111122223333:on-call'],
});

type Answers = Readonly<Record<string, (input: Record<string, unknown>) => object>>;

/** AWS, as far as the status asks; the second page of alarms has the alarm that is raised. */
const AWS: Answers = {
  GetQueueAttributes: ({ QueueUrl }) => ({
    Attributes: {
      ApproximateNumberOfMessages: String(QueueUrl).endsWith('EventsQueueUrl') ? '7' : '0',
      ApproximateNumberOfMessagesNotVisible: '2',
      ApproximateNumberOfMessagesDelayed: '1',
    },
  }),
  GetMetricData: (input) => ({
    MetricDataResults: (
      input.MetricDataQueries as {
        Id: string;
        MetricStat: { Metric: { Dimensions: [{ Value: string }] } };
      }[]
    ).map(({ Id, MetricStat: { Metric } }) => ({
      Id,
      Values: Metric.Dimensions[0].Value === 'EventsQueueUrl' ? [12, 500] : [],
    })),
  }),
  DescribeAlarms: ({ AlarmNamePrefix, NextToken }) =>
    NextToken === undefined
      ? {
          MetricAlarms: [alarm('Late', 'OK'), alarm('Quiet', 'INSUFFICIENT_DATA')],
          NextToken: String(AlarmNamePrefix),
        }
      : { MetricAlarms: [alarm('Dead', 'ALARM')] },
};

const TOPIC_ATTRIBUTES = `
  <GetTopicAttributesResponse><GetTopicAttributesResult><Attributes>
    <entry><key>SubscriptionsConfirmed</key><value>3</value></entry>
  </Attributes></GetTopicAttributesResult></GetTopicAttributesResponse>`;

/** All mappings of an AWS account, in two pages: those of the stage but one, and of another. */
const MAPPINGS = [
  ...['Events', 'Deliveries', 'SlowLane', 'Retry'].map((name) => ({
    EventSourceArn: `arn:aws:sqs:eu-central-1:111122223333:${name}QueueUrl`,
    State: 'Enabled',
  })),
  {
    EventSourceArn: 'arn:aws:sqs:eu-central-1:111122223333:AnotherReplayQueueUrl',
    State: 'Disabled',
  },
  ...['DeliveryLog', 'Integrations'].map((table) => ({
    EventSourceArn: `arn:aws:dynamodb:eu-central-1:111122223333:table/${table}/stream/2026-11-01T00:00:00.000`,
    State: 'Enabled',
    LastProcessingResult: table === 'DeliveryLog' ? 'PROBLEM: denied' : 'OK',
  })),
];

const mappingsAt = (url: string): object | undefined => {
  const { pathname, searchParams } = new URL(url, 'http://lambda');
  if (pathname !== '/2015-03-31/event-source-mappings') return undefined;
  return searchParams.get('Marker') === null
    ? { EventSourceMappings: MAPPINGS.slice(0, 4), NextMarker: 'more' }
    : { EventSourceMappings: MAPPINGS.slice(4) };
};

const statusWith = async (answers: Answers): Promise<StageStatus> =>
  (await connectedTo(answers)).status(NOW);

const connectedTo = async (answers: Answers): Promise<Connection> => {
  const server = createServer(async (request, response) => {
    const text = (await request.setEncoding('utf8').toArray()).join('');
    const mappings = mappingsAt(request.url ?? '');
    if (mappings) {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(mappings));
      return;
    }
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    if (request.headers['x-amz-target'] === undefined) {
      const form = new URLSearchParams(text);
      const xml = form.has('TopicArn') ? TOPIC_ATTRIBUTES : describeStacks(form.get('StackName'));
      response.setHeader('content-type', 'text/xml').end(xml);
      return;
    }
    const answer = answers[operation];
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    if (answer) response.end(JSON.stringify(answer(JSON.parse(text))));
    else response.writeHead(400).end(`{"__type":"AccessDenied","message":"not allowed"}`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const target = {
    stage: 'prod',
    place: 'AWS',
    clientConfig: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    },
  };
  return connect(target);
};

describe('stage status', () => {
  it('shows the version, the queues with their ages, and the raised alarms', async () => {
    const status = await statusWith(AWS);
    const { out } = await commandLineInMemory({}, { status }).run('stage', 'status');
    const lines = out.split('\n');

    expect(lines).toContainEqual(
      expect.stringMatching(
        /^integrations-prod-service +UPDATE_COMPLETE +2026-11-19T00:00:00.000Z +0.1.0$/,
      ),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^events +7 +2 +1 +12 s$/));
    expect(lines).toContainEqual(
      expect.stringMatching(/^log-stream \(dead letters\) +0 +2 +1 +-$/),
    );
    expect(lines).toContain('2 of 3 alarms are quiet, 1 of them without data.');
    expect(lines).toContain('ALARM since 2026-11-20T11:00:00.000Z  integrations-prod-service-Dead');
    expect(lines).toContain('  Dead is what it means.');
  });

  it('has a document for scripts', async () => {
    const status = await statusWith(AWS);
    const { out } = await commandLineInMemory({}, { status }).run('stage', 'status', '--json');
    const document = JSON.parse(out);

    expect(document).toMatchObject({
      stacks: [
        { name: 'integrations-prod-state', version: '0.1.0' },
        { name: 'integrations-prod-service', status: 'UPDATE_COMPLETE' },
      ],
      alarms: [{ state: 'OK' }, {}, { name: 'integrations-prod-service-Dead', state: 'ALARM' }],
    });
    expect(document.queues).toHaveLength(13);
    expect(document.queues[0]).toEqual({
      queue: 'events',
      isDeadLetterQueue: false,
      visible: 7,
      inFlight: 2,
      delayed: 1,
      oldestSeconds: 12,
    });
  });

  it('shows the queues to whoever may not ask CloudWatch, and says so', async () => {
    const { GetQueueAttributes } = AWS;
    const status = await statusWith(GetQueueAttributes ? { GetQueueAttributes } : {});
    const { exitCode, out } = await commandLineInMemory({}, { status }).run('stage', 'status');

    expect(exitCode).toBe(0);
    expect(out).toMatch(/^events +7 +2 +1 +-$/m);
    expect(out).toContain('Ages are not known (AccessDenied: not allowed).');
    expect(out).toContain('Alarms are not known (AccessDenied: not allowed).');
    const { out: json } = await commandLineInMemory({}, { status }).run(
      'stage',
      'status',
      '--json',
    );
    expect(JSON.parse(json)).toMatchObject({
      ages: { unavailable: 'AccessDenied: not allowed' },
      alarms: { unavailable: 'AccessDenied: not allowed' },
    });
  });
});

describe('stage verify', () => {
  it('reads mappings, dead letters, the topics of alarms, and their subscribers', async () => {
    const connection = await connectedTo(AWS);
    const results = await connection.verify({ newEventId: () => 'evt_new', now: () => NOW });

    expect(results.slice(0, 6)).toMatchObject([
      { check: 'stacks', result: 'ok' },
      {
        check: 'event sources',
        detail: expect.stringMatching(/^replays: no mapping, log-stream: PROBLEM: denied$/),
      },
      { check: 'dead letters', detail: expect.stringContaining('events: 3') },
      { check: 'retry schedules', detail: expect.stringContaining('no output RetrySchedule') },
      { check: 'alarms', detail: expect.stringMatching(/1 of 3 .*: integrations-\S+-Quiet$/) },
      { check: 'alarm topic', result: 'ok', detail: expect.stringMatching(/on-call: 3 confirmed/) },
    ]);
  });
});
