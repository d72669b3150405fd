import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { inject } from 'vitest';

/** What surrounds the service in a journey: its callers, the platform, its operator. */
const service = inject('service');

export const awsClientConfig = {
  endpoint: service.aws,
  region: service.region,
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
};

const queue = new SQSClient(awsClientConfig);

export interface ApiCall {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

export interface ApiReply {
  readonly status: number;
  readonly headers: Headers;
  readonly document: Record<string, unknown>;
}

/** One call of the REST API, as the organisation's admin unless another token is given. */
export const call = async (
  method: string,
  path: string,
  request: ApiCall = {},
): Promise<ApiReply> => {
  const token = 'token' in request ? request.token : service.adminToken;
  const hasBody = request.body !== undefined;
  const response = await fetch(service.api + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(hasBody && { 'Content-Type': 'application/json' }),
      ...request.headers,
    },
    ...(hasBody && {
      body: typeof request.body === 'string' ? request.body : JSON.stringify(request.body),
    }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    document: text.startsWith('{') ? JSON.parse(text) : { text },
  };
};

interface Registration {
  readonly account?: string;
  readonly token?: string;
  readonly active?: boolean;
  readonly webhookSecret?: string;
  readonly actions?: Readonly<Record<string, boolean>>;
}

/** Registers a webhook as an integrator would. */
export const register = async (baseUrl: string, options: Registration = {}) => {
  const { account = service.account, token, active = true, webhookSecret, actions } = options;
  const reply = await call('POST', `/${account}/integrations`, {
    ...(token !== undefined && { token }),
    body: {
      active,
      provider: 'webhook',
      config: { baseUrl, ...(webhookSecret !== undefined && { webhookSecret }) },
      settings: { ...(actions !== undefined && { actions }) },
    },
  });
  if (reply.status !== 201) throw new Error(`Not registered: ${JSON.stringify(reply.document)}`);
  const { id, config } = reply.document as { id: string; config: { webhookSecret: string } };
  return { id, bareId: id.split('/').at(-1) ?? '', secret: config.webhookSecret };
};

/** An event id that no other test uses. */
export const newEventId = (): string => `evt_${randomUUID()}`;

export const sampleEvent = (overrides: Record<string, unknown> = {}) => ({
  id: newEventId(),
  type: 'message.received',
  account: service.account,
  occurredAt: '2026-11-20T12:00:00.000Z',
  data: { message: { id: 'msg_1', body: 'Hello', direction: 'in' } },
  ...overrides,
});

/** Puts a text on the events queue, as the platform does: the account as the message group. */
export const publishText = async (text: string): Promise<void> => {
  await queue.send(
    new SendMessageCommand({
      QueueUrl: service.eventsQueueUrl,
      MessageBody: text,
      MessageGroupId: service.account,
    }),
  );
};

export const publish = (event: Record<string, unknown>): Promise<void> =>
  publishText(JSON.stringify(event));

/** The operator's command line against the service under test; answers its JSON. */
export const admin = async (...words: string[]): Promise<Record<string, unknown>> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['admin/main.ts', ...words, '--json', '--stage', process.env.SERVICE_STAGE ?? 'local'],
    {
      env: {
        ...process.env,
        AWS_ENDPOINT_URL: service.aws,
        AWS_REGION: service.region,
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
      },
    },
  );
  return JSON.parse(stdout);
};

/** An account of its own for a test, with a user and a token of each role. */
export const newAccount = async () => {
  const account = `t-${randomBytes(6).toString('hex')}`;
  const user = `u_${account}`;
  await admin('accounts', 'create', account);
  await admin('users', 'create', user, '--account', account);
  const issue = async (role: string) => {
    const { token } = await admin('tokens', 'issue', '--user', user, '--role', role);
    return String(token);
  };
  return { account, user, adminToken: await issue('admin'), memberToken: await issue('member') };
};

/** Reads again and again until what is read satisfies; the test's own time limit ends it. */
export const eventually = async <Value>(
  read: () => Promise<Value>,
  satisfies: (value: Value) => boolean,
): Promise<Value> => {
  for (;;) {
    const value = await read();
    if (satisfies(value)) return value;
  }
};
