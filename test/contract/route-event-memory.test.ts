import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingsFor } from '../../lib/config.ts';

const PROGRAM = fileURLToPath(
  new URL('../support/lambdas/route-largest-events.ts', import.meta.url),
);

/** As many as an account may have, as DynamoDB writes what routing reads of them. */
const INTEGRATIONS = Array.from({ length: 100 }, (_, index) => ({
  id: { S: String(index).padStart(12, '0') },
  active: { BOOL: true },
  settings: { M: { actions: { M: { 'message.received': { BOOL: true } } } } },
}));

interface SentBatch {
  readonly Entries: readonly { readonly Id: string; readonly MessageBody: string }[];
}

/** AWS as far as routing needs it; keeps nothing. */
const startAws = async () => {
  const sent = { messages: 0 };
  const answerTo: Record<string, (body: string) => unknown> = {
    Query: () => ({ Items: INTEGRATIONS, Count: INTEGRATIONS.length }),
    SendMessageBatch: (body) => {
      const { Entries } = JSON.parse(body) as SentBatch;
      sent.messages += Entries.length;
      return { Successful: Entries.map((entry) => ({ Id: entry.Id, ...digestOf(entry) })) };
    },
  };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify(answerTo[operation]?.(body) ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { server, sent, endpoint };
};

const digestOf = ({ MessageBody }: { MessageBody: string }) => ({
  MessageId: 'm',
  MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
});

describe('routing the largest events to every integration that an account may have', () => {
  let aws: { server: Server; sent: { messages: number }; endpoint: string };
  beforeAll(async () => {
    aws = await startAws();
  });
  afterAll(() => aws.server.close());

  it('fits in the smallest function that is deployed', async () => {
    const memoryMb = settingsFor('dev')?.memoryMb.queue ?? expect.fail('no such stage');
    const { stderr } = await promisify(execFile)(
      process.execPath,
      [`--max-old-space-size=${memoryMb / 2}`, PROGRAM],
      {
        env: {
          AWS_ENDPOINT_URL: aws.endpoint,
          AWS_REGION: 'eu-central-1',
          AWS_ACCESS_KEY_ID: 'local',
          AWS_SECRET_ACCESS_KEY: 'local',
        },
      },
    );
    const { response, mostMiB } = JSON.parse(stderr);
    expect(response).toEqual({ batchItemFailures: [] });
    expect(aws.sent.messages).toBe(2 * INTEGRATIONS.length);
    expect(mostMiB).toBeLessThan(memoryMb);
  });
});
