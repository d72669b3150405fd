import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stageNames } from '../../lib/stage-settings.ts';
import { settingsFor } from '../../lib/stages.ts';
import { createAuthority } from '../support/certificates.ts';
import {
  type InstantAws,
  runInMemory,
  startInstantAws,
} from '../support/lambdas/limited-memory.ts';
import { MisbehavingReceiver } from '../support/receiver/misbehaving-receiver.ts';

const PROGRAM = new URL('../support/lambdas/deliver-largest-events.ts', import.meta.url);

const smallestMb = Math.min(
  ...stageNames.map((name) => settingsFor(name)?.memoryMb.queue ?? Number.NaN),
);

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
      GetItem: () => ({
        Item: {
          account: { S: 'acme' },
          id: { S: '0123456789Ab' },
          active: { BOOL: isActive },
          config: {
            M: { baseUrl: { S: receiver.url() }, webhookSecret: { S: 'a secret of the tests' } },
          },
          epoch: { N: '1' },
        },
      }),
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
      const { response, mostMiB } = await runInMemory(PROGRAM, {
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
