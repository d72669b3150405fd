import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnswerAws, AwsRequest } from '../../local/aws/aws-request.ts';
import { FunctionPool } from '../../local/functions/function-pool.ts';

const modules = ['client-sqs', 'client-scheduler'].map((name) =>
  import.meta.resolve(`@aws-sdk/${name}`),
);

/** Calls SQS as it loads and in each invocation, or Scheduler, or what is no service of AWS. */
const bundle = `import http from 'node:http';
import sqs from '${modules[0]}';
import scheduler from '${modules[1]}';
const queues = new sqs.SQSClient({ maxAttempts: 1 });
const QueueUrl = process.env.AWS_ENDPOINT_URL + '/000000000000/queue';
const send = (MessageBody, options) =>
  queues.send(new sqs.SendMessageCommand({ QueueUrl, MessageBody }), options);
const atLoad = process.env.CALLS_AT_LOAD && (await send('at load')).MessageId;
export const handler = async ({ body, deletes, gets, givesUp }) => {
  try {
    if (deletes) {
      const schedules = new scheduler.SchedulerClient();
      const call = new scheduler.DeleteScheduleCommand({ Name: deletes, GroupName: 'a group' });
      return (await schedules.send(call)).$metadata.httpStatusCode;
    }
    if (gets) {
      const { promise, resolve } = Promise.withResolvers();
      http.request(gets, (response) => resolve(response.statusCode)).end();
      return await promise;
    }
    const { MessageId } = await send(body, givesUp && { abortSignal: AbortSignal.timeout(1) });
    return { MessageId, atLoad };
  } catch (error) {
    return { name: error.name, code: error.code, message: error.message };
  }
};`;

const CONTENT_TYPE = ['content-type', 'application/x-amz-json-1.0'] as const;

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** SQS's answer to a message; the SDK compares the checksum. */
const answerOf = (MessageId: string, body: Buffer): string =>
  JSON.stringify({ MessageId, MD5OfMessageBody: md5(JSON.parse(String(body)).MessageBody) });

const accept: AnswerAws = async ({ body }) => ({
  status: 200,
  headers: [CONTENT_TYPE],
  body: answerOf('by message', body),
});

describe('A call of AWS by a function of the embedded run', () => {
  let directory = '';
  let awsServer: Server;
  let requests: AwsRequest[] = [];
  let answerAws: AnswerAws;
  let pool: FunctionPool;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'aws-calls-'));
    await writeFile(join(directory, 'index.mjs'), bundle);
    awsServer = createServer(async (request, response) => {
      response.writeHead(202, [...CONTENT_TYPE]);
      if (request.method === 'GET') response.end();
      else response.end(answerOf('by HTTP', await buffer(request)));
    });
    await new Promise<void>((resolve) => awsServer.listen(0, '127.0.0.1', resolve));
  });

  beforeEach(() => {
    requests = [];
    answerAws = accept;
  });

  afterEach(() => pool.stop());

  afterAll(async () => {
    awsServer.closeAllConnections();
    awsServer.close();
    await rm(directory, { recursive: true });
  });

  const originOf = (server: Server): string =>
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const createPool = ({ isHandedOver = true, environment = {} } = {}): FunctionPool => {
    pool = new FunctionPool(
      {
        name: 'caller',
        role: 'arn:aws:iam::000000000000:role/local',
        arn: 'arn:aws:lambda:us-east-1:000000000000:function:caller',
        file: join(directory, 'index.mjs'),
        handler: 'handler',
        environment,
        timeoutMs: 8_000,
        memoryMb: 128,
        concurrency: 1,
      },
      {
        // Nothing listens there: a call by message needs no server.
        awsOrigin: isHandedOver ? 'http://127.0.0.1:9' : originOf(awsServer),
        ...(isHandedOver && {
          answerAws: (request: AwsRequest) => {
            requests.push(request);
            return answerAws(request);
          },
        }),
        caCertificate: '',
        logFile: join(directory, 'caller.log'),
        onFailure: () => {},
      },
    );
    return pool;
  };

  it('is the signed request of the SDK', async () => {
    expect(await createPool().invoke({ body: 'Grüße' })).toEqual({ MessageId: 'by message' });

    const [{ body, headers, ...address } = {} as AwsRequest] = requests;
    expect(address).toMatchObject({ method: 'POST', path: '/', tooLarge: false });
    expect(JSON.parse(String(body))).toMatchObject({ MessageBody: 'Grüße' });
    expect(headers).toMatchObject({
      'x-amz-target': 'AmazonSQS.SendMessage',
      'content-length': String(body.length),
      authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=caller\/.*Signature=/),
    });
  });

  it('fails as the answer says', async () => {
    answerAws = async () => ({
      status: 400,
      headers: [CONTENT_TYPE],
      body: JSON.stringify({ __type: 'AccessDenied', message: 'Not allowed.' }),
    });
    expect(await createPool().invoke({ body: '' })).toMatchObject({
      name: 'AccessDenied',
      message: 'Not allowed.',
    });
  });

  it('breaks as a connection does when there is no answer', async () => {
    answerAws = async () => {
      throw new Error('The answer is lost.');
    };
    expect(await createPool().invoke({ body: '' })).toMatchObject({ code: 'ECONNRESET' });
  });

  const untilGone = ({ clientGone }: AwsRequest): Promise<void> =>
    new Promise((resolve) => clientGone.addEventListener('abort', () => resolve()));

  it('has its client gone when the function gives up, and answers then to nobody', async () => {
    const gone = Promise.withResolvers<void>();
    answerAws = async (request) => {
      asked.resolve();
      await answered.promise;
      return accept(request);
    };
    const created = createPool();
    expect(await created.invoke({ body: '', givesUp: true })).toMatchObject({ name: 'AbortError' });
    await asked.promise;
    answered.resolve();

    answerAws = accept;
    expect(await created.invoke({ body: '' })).toEqual({ MessageId: 'by message' });
  });

  it('leaves other requests to HTTP', async () => {
    expect(await createPool().invoke({ gets: originOf(awsServer) })).toBe(202);
    expect(requests).toEqual([]);
  });
});
