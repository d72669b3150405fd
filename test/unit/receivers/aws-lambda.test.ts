import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { signedAgain } from '../../support/receivers/posts.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwbpxhT2ZqSLM=';

type Handler = (event: object) => Promise<{ statusCode: number }>;

interface Request {
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | undefined;
}

const bodyOf = ({ body }: Request, isBase64Encoded: boolean) => ({
  isBase64Encoded,
  body: body?.toString(isBase64Encoded ? 'base64' : 'utf8'),
});

const lowerCase = ({ headers }: Request) =>
  headers.map(([name, value]) => [name.toLowerCase(), value] as const);

const inLists = (headers: Request['headers']) =>
  Object.fromEntries(headers.map(([name, value]) => [name, [value]]));

/** Events as the developer guides of AWS show them, without what names no request. */
const EVENTS: Readonly<Record<string, (request: Request, isBase64Encoded: boolean) => object>> = {
  'a function URL or an HTTP API (2.0)': (request, isBase64Encoded) => ({
    version: '2.0',
    routeKey: '$default',
    rawPath: `/stage${request.path}`,
    rawQueryString: '',
    headers: Object.fromEntries(lowerCase(request)),
    requestContext: { http: { method: 'POST', path: request.path, protocol: 'HTTP/1.1' } },
    ...bodyOf(request, isBase64Encoded),
  }),
  'a REST API (1.0)': (request, isBase64Encoded) => ({
    resource: '/{proxy+}',
    path: request.path,
    httpMethod: 'POST',
    headers: Object.fromEntries(request.headers),
    multiValueHeaders: inLists(request.headers),
    queryStringParameters: null,
    pathParameters: { proxy: request.path.slice(1) },
    requestContext: { stage: 'prod', identity: { sourceIp: '192.0.2.1' } },
    ...bodyOf(request, isBase64Encoded),
    ...(request.body === undefined && { body: null }),
  }),
  'a load balancer': (request, isBase64Encoded) => ({
    requestContext: { elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:…' } },
    httpMethod: 'POST',
    path: request.path,
    queryStringParameters: {},
    headers: Object.fromEntries(lowerCase(request)),
    ...bodyOf(request, isBase64Encoded),
    ...(request.body === undefined && { body: '' }),
  }),
  'a load balancer with multi-value headers': (request, isBase64Encoded) => ({
    requestContext: { elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:…' } },
    httpMethod: 'POST',
    path: request.path,
    multiValueQueryStringParameters: {},
    multiValueHeaders: inLists(lowerCase(request)),
    ...bodyOf(request, isBase64Encoded),
    ...(request.body === undefined && { body: '' }),
  }),
};

let sent = 0;

/** What the service sends for an event of its own, in whichever case of names. */
const signedRequest = (path: string): Request & { readonly body: Buffer } => {
  sent += 1;
  const id = `/integrations/8Fq2LmZ0aBcD/deliveries/evt_${sent}`;
  const body = Buffer.from(JSON.stringify({ id, action: 'message.received', text: 'Grüße 👩‍👧' }));
  const unsigned = {
    path,
    body,
    headers: [
      ['Content-Type', 'application/json'],
      ['Content-Length', ''],
      ['X-Service-Signature', ''],
      ['webhook-id', id],
      ['webhook-timestamp', ''],
      ['webhook-signature', ''],
    ],
  } as const;
  return { ...signedAgain(unsigned, { secret: SECRET }), body };
};

describe('the receiver for AWS Lambda', () => {
  const queued: string[] = [];
  let fault: 'none' | 'refuses' | 'hangs' = 'none';
  const queue = createServer(async (request, response) => {
    const { MessageBody } = (await json(request)) as { MessageBody: string };
    if (fault === 'hangs') return;
    if (fault === 'refuses') return void response.writeHead(500).end();
    queued.push(MessageBody);
    const MD5OfMessageBody = createHash('md5').update(MessageBody).digest('hex');
    response.end(JSON.stringify({ MessageId: '1', MD5OfMessageBody }));
  });
  let handler: Handler;
  beforeAll(async () => {
    await once(queue.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(queue.address() as AddressInfo).port}/queue`;
    vi.stubEnv('WEBHOOK_SECRET', SECRET);
    vi.stubEnv('QUEUE_URL', url);
    vi.stubEnv('AWS_ENDPOINT_URL_SQS', url);
    vi.stubEnv('AWS_REGION', 'local');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
    ({ handler } = (await import('../../../receivers/aws-lambda/index.mjs' as string)) as {
      handler: Handler;
    });
  });
  beforeEach(() => {
    fault = 'none';
    queued.length = 0;
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    queue.closeAllConnections();
    queue.close();
  });

  const cases = Object.entries(EVENTS).flatMap(([name, eventOf]) =>
    ['/hooks', '/standard-hooks'].map((path) => [name, path, eventOf] as const),
  );

  it.each(cases)('queues the body behind %s, at %s', async (_name, path, eventOf) => {
    const requests = [signedRequest(path), signedRequest(path)];
    const events = requests.map((request, at) => eventOf(request, at === 1));

    for (const event of events) expect((await handler(event)).statusCode).toBe(204);
    expect(queued).toEqual(requests.map(({ body }) => body.toString()));
  });

  it.each(cases)('refuses what is not signed behind %s, at %s', async (_name, path, eventOf) => {
    const request = signedRequest(path);
    const others = [
      { ...request, body: Buffer.from(request.body.toString().replace('message', 'massage')) },
      { ...request, headers: request.headers.filter(([name]) => !/signature$/i.test(name)) },
      { ...request, headers: [] },
      { ...request, body: undefined },
    ];

    for (const other of others) expect((await handler(eventOf(other, false))).statusCode).toBe(401);
    expect(queued).toEqual([]);
  });

  it.each(['refuses', 'hangs'] as const)('answers 504 when the queue %s', async (broken) => {
    const event = Object.values(EVENTS)[0]?.(signedRequest('/hooks'), false) ?? {};
    fault = broken;
    expect((await handler(event)).statusCode).toBe(504);
    fault = 'none';
    expect((await handler(event)).statusCode).toBe(204);
    expect(queued).toHaveLength(1);
  });
});
