import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stageNames } from '../../lib/stage-settings.ts';
import { settingsFor } from '../../lib/stages.ts';
import { createAuthority } from '../support/certificates.ts';
import sealed from '../support/formats/secrets-1.json' with { type: 'json' };
import {
  type InstantAws,
  runInMemory,
  startInstantAws,
} from '../support/lambdas/limited-memory.ts';
import { MisbehavingReceiver } from '../support/receiver/misbehaving-receiver.ts';

const smallestMb = Math.min(
  ...stageNames.map((name) => settingsFor(name)?.memoryMb.queue ?? Number.NaN),
);

const DELIVERING = new URL('../support/lambdas/deliver-largest-events.ts', import.meta.url);

const textsOf = (members: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(members).map(([name, S]) => [name, { S }]));

describe('delivering a batch of the largest events', () => {
  let directory: string;
  let receiver: MisbehavingReceiver;
  let aws: InstantAws;
  let isActive = true;
  let pendingEvents = 0;

  beforeAll(async () => {
    const authority = await createAuthority();
    directory = await mkdtemp(join(tmpdir(), 'authority-'));
    await writeFile(join(directory, 'ca.pem'), authority.caCertificate);
    receiver = await MisbehavingReceiver.start(await authority.issue());
    aws = await startInstantAws({
      PutItem: (body) => {
        const { TableName, Item } = JSON.parse(body);
        if (TableName === 'pending' && Item.account) pendingEvents += 1;
        return {};
      },
      GetItem: (body) => {
        if (JSON.parse(body).TableName === 'pairs') return { Item: textsOf(sealed.keyPair) };
        const { format, ...secret } = sealed.config.webhookSecret;
        const webhookSecret = { M: { format: { N: `${format}` }, ...textsOf(secret) } };
        return {
          Item: {
            ...textsOf({ account: 'acme', id: '0123456789Ab' }),
            active: { BOOL: isActive },
            config: { M: { ...textsOf({ baseUrl: receiver.url() }), webhookSecret } },
            settings: { M: {} },
            epoch: { N: '1' },
          },
        };
      },
      // The pair's private key is not wrapped.
      Decrypt: () => ({ Plaintext: sealed.keyPair.wrappedPrivateKey }),
    });
  });
  afterAll(async () => {
    aws.close();
    await receiver.close();
    await rm(directory, { recursive: true });
  });

  it.each([
    ['by a POST each', { active: true, posts: 10, stored: 0 }],
    ['of an integration that is switched off', { active: false, posts: 0, stored: 10 }],
  ])(
    'fits in the smallest function that is deployed: %s',
    async (_how, { active, posts, stored }) => {
      isActive = active;
      pendingEvents = 0;
      const postsBefore = receiver.requests.all.length;
      const { response, mostMiB } = await runInMemory(DELIVERING, {
        memoryMb: smallestMb,
        aws,
        env: { NODE_EXTRA_CA_CERTS: join(directory, 'ca.pem') },
      });
      expect(response).toEqual({ batchItemFailures: [] });
      expect(receiver.requests.all.length - postsBefore).toBe(posts);
      expect(pendingEvents).toBe(stored);
      expect(mostMiB).toBeLessThan(smallestMb);
    },
  );
});

const ROUTING = new URL('../support/lambdas/route-largest-events.ts', import.meta.url);

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

describe('routing a batch of the largest events to a full account', () => {
  let aws: InstantAws & { sent: { messages: number } };
  beforeAll(async () => {
    aws = await startAws();
  });
  afterAll(() => aws.close());

  it('fits in the smallest function that is deployed', async () => {
    const { response, mostMiB } = await runInMemory(ROUTING, { memoryMb: smallestMb, aws });
    expect(response).toEqual({ batchItemFailures: [] });
    expect(aws.sent.messages).toBe(10 * INTEGRATIONS.length);
    expect(mostMiB).toBeLessThan(smallestMb);
  });
});
