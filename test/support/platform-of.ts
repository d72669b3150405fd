import { randomUUID } from 'node:crypto';
import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Endpoints } from '../../local/endpoints-file.ts';

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

interface Registration {
  readonly account?: string;
  readonly token?: string;
  readonly active?: boolean;
  readonly webhookSecret?: string;
  readonly actions?: Readonly<Record<string, boolean>>;
}

interface RegisteredWebhook {
  /** Its path. */
  readonly id: string;
  readonly bareId: string;
  readonly secret: string;
}

export interface Platform {
  /** One call of the REST API, as the organisation's admin unless another token is given. */
  call(method: string, path: string, request?: ApiCall): Promise<ApiReply>;
  /** Registers a webhook as an integrator would. */
  register(baseUrl: string, options?: Registration): Promise<RegisteredWebhook>;
  sampleEvent(overrides?: Record<string, unknown>): SampleEvent;
  /** Puts a text on the events queue, as the platform does: the account as the message group. */
  publishText(text: string): Promise<void>;
  /** Puts events on the events queue, ten at a time, in order. */
  publish(...events: readonly Record<string, unknown>[]): Promise<void>;
}

export type SampleEvent = ReturnType<typeof eventOf>;

export const awsClientConfigOf = ({ aws, region }: Endpoints) => ({
  endpoint: aws,
  region,
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});

/** What surrounds a service that runs: its callers and the platform it is a part of. */
export const platformOf = (service: Endpoints): Platform => {
  const call = createCall(service);
  return {
    call,
    register: createRegister(call, service),
    sampleEvent: (overrides = {}) => eventOf(service.account, overrides),
    ...createPublishing(service),
  };
};

const createCall =
  (service: Endpoints): Platform['call'] =>
  async (method, path, request = {}) => {
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

const createRegister =
  (call: Platform['call'], service: Endpoints): Platform['register'] =>
  async (baseUrl, options = {}) => {
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

const eventOf = (account: string, overrides: Record<string, unknown>) => ({
  id: newEventId(),
  type: 'message.received',
  account,
  occurredAt: '2026-11-20T12:00:00.000Z',
  data: { message: { id: 'msg_1', body: 'Hello', direction: 'in' } },
  ...overrides,
});

const BATCH = 10;

const createPublishing = (service: Endpoints): Pick<Platform, 'publish' | 'publishText'> => {
  const queue = new SQSClient(awsClientConfigOf(service));
  const destination = { QueueUrl: service.eventsQueueUrl };
  const publishText = async (text: string): Promise<void> => {
    const message = { MessageBody: text, MessageGroupId: service.account };
    await queue.send(new SendMessageCommand({ ...destination, ...message }));
  };
  return {
    publishText,
    publish: async (...events) => {
      for (let from = 0; from < events.length; from += BATCH) {
        const Entries = events.slice(from, from + BATCH).map((event, index) => ({
          Id: String(index),
          MessageBody: JSON.stringify(event),
          MessageGroupId: String(event.account),
        }));
        const command = new SendMessageBatchCommand({ ...destination, Entries });
        const { Failed = [] } = await queue.send(command);
        if (Failed.length > 0) throw new Error(`${Failed.length} events were not published.`);
      }
    },
  };
};
