import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListKeysCommand } from '@aws-sdk/client-kms';
import { ListSchedulesCommand } from '@aws-sdk/client-scheduler';
import { GetAccountCommand } from '@aws-sdk/client-sesv2';
import { ListQueuesCommand } from '@aws-sdk/client-sqs';
import { GetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createClientWithDeadline,
  createDocumentClient,
  createKeyClient,
  createMailClient,
  createQueueClient,
  createSchedulerClient,
  NEEDLESS_MIDDLEWARE,
  SigningHash,
} from '../../adapters/aws-sdk/aws-clients.ts';
import { defaultProvider } from '../../adapters/aws-sdk/function-credentials.ts';
import { writeTogether } from '../../adapters/dynamodb/table/writes.ts';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let server: Server;
let received: Received[];
/** Of the first requests; the others are answered with an empty document. */
let refusals: object[] = [];

beforeEach(async () => {
  received = [];
  server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    received.push({ method, url, headers, body: await text(request) });
    const refusal = refusals.shift();
    if (refusal) response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify(refusal ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', SECRET_KEY);
  vi.stubEnv('AWS_SESSION_TOKEN', 'a session');
});

afterEach(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

describe('a write that met a transaction on the same item', () => {
  const namespace = 'com.amazonaws.dynamodb.v20120810#';
  const Key = { id: 'a' };
  const put = { Put: { TableName: 'things', Item: Key } };

  it('is repeated', async () => {
    refusals = [{ __type: `${namespace}TransactionConflictException` }];
    await createDocumentClient().send(new PutCommand({ TableName: 'things', Item: Key }));
    expect(received).toHaveLength(2);
  });

  it.each(['TransactionConflict', 'ProvisionedThroughputExceeded', 'ThrottlingError'])(
    'is repeated as a part of a transaction, as is one that is throttled: %s',
    async (Code) => {
      const CancellationReasons = [{ Code }, { Code: 'None' }];
      refusals = [{ __type: `${namespace}TransactionCanceledException`, CancellationReasons }];
      await createDocumentClient().send(new TransactWriteCommand({ TransactItems: [put] }));
      const tokens = received.map(({ body }) => JSON.parse(body).ClientRequestToken);
      expect(tokens).toHaveLength(2);
      expect(tokens).toEqual([expect.any(String), tokens[0]]);
    },
  );

  it('is made where many others are, and has one token', async () => {
    const CancellationReasons = [{ Code: 'TransactionConflict' }];
    const refusal = { __type: `${namespace}TransactionCanceledException`, CancellationReasons };
    refusals = Array(8).fill(refusal);
    expect(await writeTogether(createDocumentClient(), [put])).toBeUndefined();
    expect(received).toHaveLength(9);
    const tokens = received.map(({ body }) => JSON.parse(body).ClientRequestToken);
    expect(new Set(tokens).size).toBe(1);

    refusals = Array(9).fill(refusal);
    await expect(writeTogether(createDocumentClient(), [put])).rejects.toThrow();
    expect(received).toHaveLength(18);
  });

  it('is not repeated if its condition was not met', async () => {
    const CancellationReasons = [{ Code: 'ConditionalCheckFailed' }];
    refusals = [{ __type: `${namespace}TransactionCanceledException`, CancellationReasons }];
    const writing = createDocumentClient().send(new TransactWriteCommand({ TransactItems: [put] }));
    await expect(writing).rejects.toThrow();
    expect(received).toHaveLength(1);
  });
});

const SECRET_KEY = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';

const hmac = (key: string | Buffer, signed: string) =>
  createHmac('sha256', key).update(signed).digest();

/**
 * The signature that AWS expects of a request without a query:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
const expectedSignature = ({ method, url, headers, body }: Received) => {
  const { authorization = '', 'x-amz-date': at } = headers;
  const [, scope = '', names = ''] =
    /Credential=AKIDEXAMPLE\/(\S+), SignedHeaders=(\S+),/.exec(authorization) ?? [];
  const canonical = [
    method,
    url,
    '',
    ...names.split(';').map((name) => `${name}:${headers[name]}`),
    '',
    names,
    createHash('sha256').update(body).digest('hex'),
  ].join('\n');
  const hashed = createHash('sha256').update(canonical).digest('hex');
  const key = scope.split('/').reduce(hmac as never, `AWS4${SECRET_KEY}` as never);
  return hmac(key, ['AWS4-HMAC-SHA256', at, scope, hashed].join('\n')).toString('hex');
};

const signatureOf = ({ headers: { authorization = '' } }: Received) =>
  /Signature=(\w+)$/.exec(authorization)?.[1];

const CLIENTS = [
  ['tables', () => createDocumentClient().send(new ListTablesCommand({}))],
  ['writes with a deadline', () => createClientWithDeadline(5_000).send(new ListTablesCommand({}))],
  ['keys', () => createKeyClient().send(new ListKeysCommand({}))],
  ['e-mails', () => createMailClient().send(new GetAccountCommand({}))],
  ['queues', () => createQueueClient().send(new ListQueuesCommand({}))],
  ['schedules', () => createSchedulerClient().send(new ListSchedulesCommand({}))],
] as const;

describe.each(CLIENTS)('the client of a function for %s', (_what, call) => {
  it('signs as AWS expects', async () => {
    await call();

    const [request] = received;
    expect(request && signatureOf(request)).toBe(request && expectedSignature(request));
    expect(request?.headers['x-amz-security-token']).toBe('a session');
  });

  it('names the function, and no version of the SDK', async () => {
    await call();

    expect(received).toHaveLength(1);
    expect(received[0]?.headers['user-agent']).toBe('integrations/none');
    expect(received[0]?.headers).not.toHaveProperty('x-amz-user-agent');
  });
});

describe('a client of a function', () => {
  it('goes without middleware that the SDK has', () => {
    const names = ({ middlewareStack }: Pick<DynamoDBClient, 'middlewareStack'>) =>
      middlewareStack.identify().map((line) => line.split(' ')[0] ?? '');
    const plain = names(new DynamoDBClient({}));

    expect(plain).toContain(NEEDLESS_MIDDLEWARE);
    expect(plain).toContain('getUserAgentMiddleware');
    expect(names(createDocumentClient()).toSorted()).toEqual(
      [...plain.filter((name) => name !== NEEDLESS_MIDDLEWARE), 'repeatAfterConflict'].toSorted(),
    );
  });

  it('signs each request anew', async () => {
    const client = createDocumentClient();
    for (const id of ['1', '2']) {
      await client.send(new GetCommand({ TableName: 'table', Key: { id } }));
    }

    const signatures = received.map(signatureOf);
    expect(signatures).toEqual(received.map(expectedSignature));
    expect(new Set(signatures).size).toBe(2);
  });
});

describe('the credentials of a function', () => {
  it('are read once', async () => {
    const provide = defaultProvider();
    const first = await provide();
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDANOTHER');

    expect(await provide()).toBe(first);
    expect(first.accessKeyId).toBe('AKIDEXAMPLE');
  });

  it('are read again when there were none', async () => {
    const provide = defaultProvider();
    vi.stubEnv('AWS_ACCESS_KEY_ID', '');
    await expect(provide()).rejects.toThrow('environment variable credentials');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');

    expect(await provide()).toMatchObject({ accessKeyId: 'AKIDEXAMPLE' });
  });
});

const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;
/** A part of a longer buffer, as Node's small buffers are. */
const viewOf = (bytes: Uint8Array): DataView => {
  const longer = new Uint8Array([1, 2, 3, ...bytes, 4, 5]);
  return new DataView(longer.buffer, 3, bytes.length);
};

/** The forms in which the SDK may give text or bytes. */
const FORMS = [
  ['text', (text: string) => text],
  ['a buffer', (text: string) => Buffer.from(text)],
  ['an array buffer', (text: string) => bufferOf(Buffer.from(text))],
  ['a view', (text: string) => viewOf(Buffer.from(text))],
] as const;

const aText = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed());

const digestOf = async (hash: SigningHash, ...parts: Parameters<SigningHash['update']>[0][]) => {
  for (const part of parts) hash.update(part);
  return Buffer.from(await hash.digest()).toString('hex');
};

describe('the hash by which the AWS SDK signs', () => {
  it.each(FORMS)('is the SHA-256 of %s', (_form, given) =>
    fc.assert(
      fc.asyncProperty(aText, aText, async (one, another) => {
        expect(await digestOf(new SigningHash(), given(one), given(another))).toBe(
          createHash('sha256')
            .update(one + another)
            .digest('hex'),
        );
      }),
    ),
  );

  it.each(FORMS)('is the HMAC by %s', (_form, given) =>
    fc.assert(
      fc.asyncProperty(aText, aText, async (secret, signed) => {
        expect(await digestOf(new SigningHash(given(secret)), signed)).toBe(
          createHmac('sha256', secret).update(signed).digest('hex'),
        );
      }),
    ),
  );
});
