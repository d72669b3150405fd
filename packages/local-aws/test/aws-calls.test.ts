import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest';
import type { AnswerAws, AwsRequest } from '../aws/aws-request.ts';
import { FunctionPool } from '../functions/function-pool.ts';

/** Sends a message by SQS, or requests `gets`, which is no service of AWS. */
const bundle = `import http from 'node:http';
import sqs from '${import.meta.resolve('@aws-sdk/client-sqs')}';
const queues = new sqs.SQSClient({ maxAttempts: 1 });
const QueueUrl = process.env.AWS_ENDPOINT_URL + '/000000000000/queue';
export const handler = async ({ body, gets, givesUp }) => {
  try {
    if (gets) {
      const { promise, resolve } = Promise.withResolvers();
      http.request(gets, (response) => resolve(response.statusCode)).end();
      return await promise;
    }
    const send = new sqs.SendMessageCommand({ QueueUrl, MessageBody: body });
    const options = givesUp && { abortSignal: AbortSignal.timeout(1) };
    return { MessageId: (await queues.send(send, options)).MessageId };
  } catch (error) {
    return { name: error.name, code: error.code, message: error.message };
  }
};`;

const CONTENT_TYPE = ['content-type', 'application/x-amz-json-1.0'] as const;

/** The SDK compares the checksum. */
const accept: AnswerAws = async ({ body }) => {
  const { MessageBody } = JSON.parse(String(body));
  const MD5OfMessageBody = createHash('md5').update(MessageBody).digest('hex');
  return {
    status: 200,
    headers: [CONTENT_TYPE],
    body: JSON.stringify({ MessageId: 'by message', MD5OfMessageBody }),
  };
};

describe('A call of AWS by a function of the embedded run', () => {
  let directory = '';
  let requests: AwsRequest[] = [];
  let answerAws: AnswerAws;
  let pool: FunctionPool;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'aws-calls-'));
    await writeFile(join(directory, 'index.mjs'), bundle);
  });

  beforeEach(() => {
    requests = [];
    answerAws = accept;
  });

  afterEach(() => pool.stop());

  afterAll(async () => {
    await rm(directory, { recursive: true });
  });

  const createPool = (): FunctionPool => {
    pool = new FunctionPool(
      {
        name: 'caller',
        role: 'arn:aws:iam::000000000000:role/local',
        arn: 'arn:aws:lambda:us-east-1:000000000000:function:caller',
        file: join(directory, 'index.mjs'),
        handler: 'handler',
        environment: {},
        timeoutMs: 8_000,
        memoryMb: 128,
        computing: 1,
        concurrency: 1,
      },
      {
        // Nothing listens there: a call by message needs no server.
        awsOrigin: 'http://127.0.0.1:9',
        answerAws: (request) => {
          requests.push(request);
          return answerAws(request);
        },
        caCertificate: '',
        compileCache: join(directory, 'compile-cache'),
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

  it('is over when the function gives up: a later answer is ignored', async () => {
    const answered = Promise.withResolvers<void>();
    answerAws = async (request) => {
      await answered.promise;
      return accept(request);
    };
    const created = createPool();
    expect(await created.invoke({ body: '', givesUp: true })).toMatchObject({ name: 'AbortError' });
    answered.resolve();

    answerAws = accept;
    expect(await created.invoke({ body: '' })).toEqual({ MessageId: 'by message' });
  });

  it('leaves other requests to HTTP', async () => {
    const server = createServer((_request, response) => response.writeHead(202).end());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;

    expect(await createPool().invoke({ gets: `http://127.0.0.1:${port}` })).toBe(202);
    expect(requests).toEqual([]);
  });
});
