import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingsFor } from '../../lib/stages.ts';
import {
  type InstantAws,
  runInMemory,
  startInstantAws,
} from '../support/lambdas/limited-memory.ts';

const PROGRAM = new URL('../support/lambdas/route-largest-events.ts', import.meta.url);

/** As many as an account may have, as DynamoDB writes what routing reads of them. */
const INTEGRATIONS = Array.from({ length: 100 }, (_, index) => ({
  id: { S: String(index).padStart(12, '0') },
  active: { BOOL: true },
  settings: { M: { actions: { M: { 'message.received': { BOOL: true } } } } },
}));

interface SentBatch {
  readonly Entries: readonly { readonly Id: string; readonly MessageBody: string }[];
}

/** AWS as far as routing needs it. */
const startAws = async () => {
  const sent = { messages: 0 };
  const aws = await startInstantAws({
    Query: () => ({ Items: INTEGRATIONS, Count: INTEGRATIONS.length }),
    SendMessageBatch: (body) => {
      const { Entries } = JSON.parse(body) as SentBatch;
      sent.messages += Entries.length;
      return { Successful: Entries.map((entry) => ({ Id: entry.Id, ...digestOf(entry) })) };
    },
  });
  return { ...aws, sent };
};

const digestOf = ({ MessageBody }: { MessageBody: string }) => ({
  MessageId: 'm',
  MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
});

describe('routing a batch of the largest events to every integration that an account may have', () => {
  let aws: InstantAws & { sent: { messages: number } };
  beforeAll(async () => {
    aws = await startAws();
  });
  afterAll(() => aws.close());

  it('fits in the smallest function that is deployed', async () => {
    const memoryMb = settingsFor('dev')?.memoryMb.queue ?? expect.fail('no such stage');
    const { response, mostMiB } = await runInMemory(PROGRAM, { memoryMb, aws });
    expect(response).toEqual({ batchItemFailures: [] });
    expect(aws.sent.messages).toBe(10 * INTEGRATIONS.length);
    expect(mostMiB).toBeLessThan(memoryMb);
  });
});
