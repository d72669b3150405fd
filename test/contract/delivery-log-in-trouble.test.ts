import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDocumentClient } from '../../adapters/aws-sdk/aws-clients.ts';
import { DynamoDbDeliveryLog } from '../../adapters/dynamodb/delivery-log/delivery-log.ts';
import { DynamoDbPendingStore } from '../../adapters/dynamodb/pending-events/pending-store.ts';
import { DynamoDbFilteredCounts } from '../../adapters/dynamodb/statistics/statistics.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { LogEntry } from '../../core/delivery/delivery-log.ts';
import { composeDeliveryLog } from '../../lambdas/composition/attempting.ts';
import { laterEntry } from '../support/adapters/delivery-logs.ts';
import { anAttempt } from '../support/delivery/attempts.ts';
import { answered } from '../support/delivery/scripted-webhook-endpoint.ts';
import { A_MESSAGE, aDelivery, anEventReference } from '../support/event/platform-events.ts';

let server: Server | undefined;

/** DynamoDB in trouble, at an address of its own. */
const startDynamoDb = async (answer: RequestListener): Promise<string> => {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const hanging: RequestListener = () => {};

const plainClient = (endpoint: string) =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      maxAttempts: 1,
    }),
  );

const logAt = (endpoint: string, { deadlineMs }: { deadlineMs: number }) =>
  new DynamoDbDeliveryLog(plainClient(endpoint), 'log', {
    deadlineMs,
    now: () => new Date(),
  });

const ATTEMPT = anAttempt({}, answered(200));
const firstEntry = (delivery: Delivery): LogEntry => ({
  delivery,
  attempt: ATTEMPT,
  logged: 'nothing',
});

const ANOTHER = aDelivery({ event: anEventReference('evt_2') });

describe('a delivery log that does not answer', () => {
  /** The client waits without end: only the log's deadline ends a call. */
  const aLog = async () => logAt(await startDynamoDb(hanging), { deadlineMs: 50 });

  it.each([
    ['lists deliveries', (log: DynamoDbDeliveryLog) => log.list([aDelivery(), ANOTHER])],
    ['records an attempt', (log: DynamoDbDeliveryLog) => log.write([laterEntry(ATTEMPT)])],
    ['tells what it has', (log: DynamoDbDeliveryLog) => log.read([aDelivery(), ANOTHER])],
    [
      'tells whether it has a success',
      (log: DynamoDbDeliveryLog) => log.confirmedSince(aDelivery().integration, new Date(0)),
    ],
  ])('is not waited for when it %s', async (_what, call) => {
    await expect(call(await aLog())).rejects.toThrow('takes too long');
  });
});

it('counts nothing that a filter kept back after its deadline', async () => {
  const client = plainClient(await startDynamoDb(hanging));
  const counts = new DynamoDbFilteredCounts(client, 'statistics', { deadlineMs: 50 });
  const of = { account: 'acme', hour: '2026-11-20T12' };

  await expect(counts.addFiltered(of, new Map([['0123456789Ab', 1]]))).rejects.toThrow(
    'takes too long',
  );
});

describe('a delivery log that answers too late', () => {
  it('gets no delivery after its deadline, when others may have written it', async () => {
    const received = Promise.withResolvers<void>();
    const cutOff = Promise.withResolvers<void>();
    const endpoint = await startDynamoDb((_request, response) => {
      response.once('close', cutOff.resolve);
      received.resolve();
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const writing = logAt(endpoint, { deadlineMs: 50 }).write([firstEntry(aDelivery())]);
    const refused = expect(writing).rejects.toThrow('takes too long');
    await received.promise;
    vi.advanceTimersByTime(50);
    await refused;
    await cutOff.promise;
  });
});

describe('a delivery log of which one partition is throttled', () => {
  it('has what the other entries of the batch tell', async () => {
    const changed: string[] = [];
    const endpoint = await startDynamoDb(async (request, response) => {
      const { RequestItems, Item, Key } = JSON.parse(
        (await request.toArray()).map(String).join(''),
      );
      const answer = (status: number, body: unknown) => {
        response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
        response.end(JSON.stringify(body));
      };
      if (Item) return answer(400, { __type: 'ThrottlingException', message: 'slow down' });
      if (Key) changed.push(Key.entry.S);
      const throttled = RequestItems?.log.filter(
        ({ PutRequest }: { PutRequest: { Item: { entry: { S: string } } } }) =>
          PutRequest.Item.entry.S.endsWith('Z#evt_2'),
      );
      answer(200, throttled ? { UnprocessedItems: { log: throttled } } : {});
    });

    const writing = logAt(endpoint, { deadlineMs: 8_000 }).write([
      firstEntry(ANOTHER),
      laterEntry(ATTEMPT),
    ]);

    await expect(writing).rejects.toThrow('slow down');
    expect(changed).toEqual([expect.stringContaining(ATTEMPT.event.id)]);
  });
});

describe('a delivery log that answers no read before it has what was confirmed', () => {
  it('has the other entries of a batch whose refused ones it looks for', async () => {
    const confirmed = Promise.withResolvers<string>();
    const endpoint = await startDynamoDb(async (request, response) => {
      const body = (await request.toArray()).map(String).join('');
      const isWrite = /PutItem|ExecuteStatement/.test(String(request.headers['x-amz-target']));
      if (isWrite) confirmed.resolve(body);
      else await confirmed.promise;
      response.writeHead(isWrite ? 200 : 400, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(
        isWrite
          ? '{"Responses":[{},{}]}'
          : '{"__type":"ThrottlingException","message":"slow down"}',
      );
    });
    const refused = {
      ...firstEntry(ANOTHER),
      attempt: anAttempt({ event: ANOTHER.event }, answered(500)),
    };
    const writing = logAt(endpoint, { deadlineMs: 8_000 }).write([
      refused,
      firstEntry(aDelivery()),
    ]);
    await writing;
    expect(await confirmed.promise).toContain(aDelivery().event.id);
  });
});

describe('a throttled delivery log', () => {
  /** Counts the requests for each table. */
  const startThrottledTables = async () => {
    const requests = { log: 0, pending: 0 };
    const endpoint = await startDynamoDb(async (request, response) => {
      const { TableName, RequestItems } = JSON.parse(
        (await request.toArray()).map(String).join(''),
      );
      const table = (TableName ?? Object.keys(RequestItems)[0]) as keyof typeof requests;
      requests[table] += 1;
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify({ __type: 'ThrottlingException', message: 'slow down' }));
    });
    vi.stubEnv('AWS_ENDPOINT_URL', endpoint);
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
    return requests;
  };

  const environment = {
    DELIVERY_LOG_TABLE: 'log',
    DELIVERY_LOG_DEADLINE_MS: 8_000,
  };

  it('is tried twice', async () => {
    const requests = await startThrottledTables();
    await expect(composeDeliveryLog(environment).read([aDelivery(), ANOTHER])).rejects.toThrow(
      'slow down',
    );
    expect(requests).toEqual({ log: 2, pending: 0 });
  });

  it('leaves what matters more all of its tries', async () => {
    const requests = await startThrottledTables();
    const log = composeDeliveryLog(environment);
    const pendingEvents = new DynamoDbPendingStore(createDocumentClient(), 'pending');
    // More than a client's quota of repeated tries.
    const calls = Array.from({ length: 120 }, () => log.read([aDelivery(), ANOTHER]));
    await Promise.allSettled(calls);

    await expect(pendingEvents.put(aDelivery(), A_MESSAGE)).rejects.toThrow('slow down');

    expect(requests.log).toBeLessThan(2 * calls.length);
    expect(requests.pending).toBe(3);
  });
});
