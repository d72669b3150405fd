import { randomUUID } from 'node:crypto';
import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Endpoints } from '../../../local/endpoints-file.ts';
import { createBasePath } from './base-path.ts';
import type { CheckAnswer } from './documented-answers.ts';
import { type NoteSecrets, secretsIn } from './secrets-used.ts';

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
  readonly filter?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

interface RegisteredWebhook {
  /** The path of the integration. */
  readonly id: string;
  readonly bareId: string;
  readonly secret: string;
}

export interface Platform {
  /**
   * Calls the REST API, as the organisation's admin unless another token is given. Paths do not
   * include the path of the stage or the domain.
   */
  call(method: string, path: string, request?: ApiCall): Promise<ApiReply>;
  /** Registers a webhook as an integrator would. */
  register(baseUrl: string, options?: Registration): Promise<RegisteredWebhook>;
  sampleEvent(overrides?: Record<string, unknown>): SampleEvent;
  /** Sends a text to the events queue, with the account as the message group, as the platform does. */
  publishText(text: string): Promise<void>;
  /** Sends events to the events queue, ten at a time, in order. */
  publish(...events: readonly Record<string, unknown>[]): Promise<void>;
}

/** The properties of a service that its callers and the platform need. */
type KnownService = Pick<
  Endpoints,
  'account' | 'adminToken' | 'api' | 'aws' | 'eventsQueueUrl' | 'region'
>;

export type SampleEvent = ReturnType<typeof eventOf>;

export const awsClientConfigOf = ({ aws, region }: Pick<Endpoints, 'aws' | 'region'>) => ({
  endpoint: aws,
  region,
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});

export interface Observers {
  /** Is called with each answer of the API. Throws when the answer is wrong. */
  readonly checkAnswer?: CheckAnswer;
  /** Is called with texts that no log may contain. */
  readonly noteSecrets?: NoteSecrets;
}

/** The surroundings of a running service: its callers, and the platform that it belongs to. */
export const platformOf = (service: KnownService, observers: Observers = {}): Platform => {
  const call = createCall(service, observers);
  return {
    call,
    register: createRegister(call, service),
    sampleEvent: (overrides = {}) => eventOf(service.account, overrides),
    ...createPublishing(service, observers),
  };
};

const createCall = (
  service: KnownService,
  { checkAnswer, noteSecrets }: Observers,
): Platform['call'] => {
  const { documentAtRoot, headersAtRoot } = createBasePath(service.api);
  return async (method, path, request = {}) => {
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
    const { headers, status } = response;
    const text = await response.text();
    const document = text.startsWith('{') ? JSON.parse(text) : { text };
    await noteSecrets?.(token, ...secretsIn(request.body), ...secretsIn(document));
    await checkAnswer?.({ method, path, status, headers, text });
    return { status, headers: headersAtRoot(headers), document: documentAtRoot(document) };
  };
};

const createRegister =
  (call: Platform['call'], service: KnownService): Platform['register'] =>
  async (baseUrl, options = {}) => {
    const {
      account = service.account,
      token,
      active = true,
      actions,
      filter,
      ...secrets
    } = options;
    const reply = await call('POST', `/${account}/integrations`, {
      ...(token !== undefined && { token }),
      body: {
        active,
        provider: 'webhook',
        config: { baseUrl, ...secrets },
        settings: { ...(actions && { actions }), ...(filter && { filter }) },
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
  // The text is unique, so that a search of the logs finds it.
  data: { message: { id: 'msg_1', body: `Hello ${randomUUID()}`, direction: 'in' } },
  ...overrides,
});

const BATCH = 10;

const createPublishing = (
  service: KnownService,
  { noteSecrets }: Observers,
): Pick<Platform, 'publish' | 'publishText'> => {
  const queue = new SQSClient(awsClientConfigOf(service));
  const destination = { QueueUrl: service.eventsQueueUrl };
  const publishText = async (text: string): Promise<void> => {
    const message = { MessageBody: text, MessageGroupId: service.account };
    await queue.send(new SendMessageCommand({ ...destination, ...message }));
  };
  return {
    publishText,
    publish: async (...events) => {
      await noteSecrets?.(...events.flatMap(secretsIn));
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
