import { createHash, createHmac, createSecretKey, type Hash, type Hmac } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { KMSClient } from '@aws-sdk/client-kms';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { repeatingAfterConflict } from '../dynamodb/table/repeat-after-conflict.ts';

/**
 * The hash with which the AWS SDK signs requests. The SDK's own passes the secret as plain bytes,
 * for which Node throws and catches an error: a third of the CPU time of a signature.
 */
export class SigningHash {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', keyOf(secret));
  }

  update(signed: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(typeof signed === 'string' ? signed : bytesOf(signed));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

const keyOf = (secret: string | ArrayBuffer | ArrayBufferView) =>
  typeof secret === 'string' ? secret : createSecretKey(bytesOf(secret));

const bytesOf = (bytes: ArrayBuffer | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);

/** The local run has longer. */
const CALL_TIMEOUT_MS = Number(process.env.AWS_CALL_TIMEOUT_MS ?? 2_000);

/** The SDK has no limits by default. A call takes nine seconds at worst: less than any function. */
export const AWS_REQUEST_LIMITS = {
  maxAttempts: 3,
  requestHandler: {
    connectionTimeout: 1_000,
    requestTimeout: CALL_TIMEOUT_MS,
    throwOnRequestTimeout: true,
  },
} as const;

const CLIENT_DEFAULTS = { ...AWS_REQUEST_LIMITS, sha256: SigningHash } as const;

/** Prepares log lines for each call, and no client has a logger. */
export const NEEDLESS_MIDDLEWARE = 'loggerMiddleware';

/** Identifies the function in CloudTrail's events. */
const USER_AGENT = `integrations/${process.env.POWERTOOLS_SERVICE_NAME ?? 'none'}`;

type Build = <Call extends { request: unknown }, Answer>(
  next: (call: Call) => Answer,
) => (call: Call) => Answer;

const nameFunction: Build = (next) => (call) => {
  const { headers } = call.request as { headers: Record<string, string> };
  headers['user-agent'] = USER_AGENT;
  return next(call);
};

/** Replaces the middleware that collects the SDK's version and features for each call. */
const NAME_FUNCTION = {
  name: 'getUserAgentMiddleware',
  step: 'build',
  priority: 'low',
  override: true,
} as const;

interface AwsClient {
  readonly middlewareStack: {
    add(build: Build, options: typeof NAME_FUNCTION): void;
    remove(name: string): boolean;
  };
}

const functionClient = <Client extends AwsClient>(client: Client): Client => {
  client.middlewareStack.remove(NEEDLESS_MIDDLEWARE);
  client.middlewareStack.add(nameFunction, NAME_FUNCTION);
  return client;
};

export const createDocumentClient = (): DynamoDBDocumentClient =>
  documentClient(repeatingAfterConflict(new DynamoDBClient(CLIENT_DEFAULTS)));

/**
 * For writes that may be left out: two tries within the deadline, and a quota of retries that others
 * do not share.
 */
export const createClientWithDeadline = (deadlineMs: number): DynamoDBDocumentClient =>
  documentClient(
    new DynamoDBClient({
      ...CLIENT_DEFAULTS,
      maxAttempts: 2,
      requestHandler: {
        connectionTimeout: Math.floor(deadlineMs * 0.2),
        requestTimeout: Math.floor(deadlineMs * 0.45),
        throwOnRequestTimeout: true,
      },
    }),
  );

const documentClient = (client: DynamoDBClient): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(functionClient(client), {
    marshallOptions: { removeUndefinedValues: true },
  });

export const createEventsClient = (): EventBridgeClient =>
  functionClient(new EventBridgeClient(CLIENT_DEFAULTS));

export const createKeyClient = (): KMSClient => functionClient(new KMSClient(CLIENT_DEFAULTS));

export const createQueueClient = (): SQSClient => functionClient(new SQSClient(CLIENT_DEFAULTS));

/** SES has longer than the others: a mail that is sent again after a timeout arrives twice. */
export const createMailClient = (): SESv2Client =>
  functionClient(
    new SESv2Client({
      ...CLIENT_DEFAULTS,
      requestHandler: { ...AWS_REQUEST_LIMITS.requestHandler, requestTimeout: 10_000 },
    }),
  );

export const createSchedulerClient = (): SchedulerClient =>
  functionClient(new SchedulerClient(CLIENT_DEFAULTS));
