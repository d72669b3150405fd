import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildSettingsChange } from '../../../core/delivery/trouble/settings-change.ts';
import {
  buildChangeIntegration,
  buildDeleteIntegration,
  buildPause,
  type ChangeIntegration,
  untilMade,
} from '../../../core/integration/change-integration.ts';
import { buildRotateSecret } from '../../../core/integration/rotate-secret.ts';
import { InMemoryReplayRequests } from '../../support/delivery/pending/in-memory-replay-requests.ts';
import { InMemoryRetrySchedules } from '../../support/delivery/trouble/in-memory-retry-schedules.ts';
import { troubled } from '../../support/delivery/trouble/troubled.ts';
import { InMemoryIntegrations } from '../../support/integration/in-memory-integrations.ts';
import { InMemorySecrets, unsealed } from '../../support/integration/in-memory-secrets.ts';
import { ADA, anIntegration } from '../../support/integration/integrations.ts';
import { refusalOf } from '../../support/refusals.ts';

const REQUEST = { account: 'acme', id: anIntegration().id };

/** The pauses that are asked for; nobody waits. */
const recordedPauses = (random: number) => {
  const pauses: number[] = [];
  const sleep = async (milliseconds: number) => {
    pauses.push(milliseconds);
  };
  return { pauses, pause: buildPause({ random: () => random, sleep }) };
};

const losing = async () => undefined;

describe('a change that other changes come in between', () => {
  it('is made by the first try that wins', async () => {
    const { pauses, pause } = recordedPauses(0.5);
    const answers = [undefined, undefined, 'made', 'made again'];
    expect(await untilMade(async () => answers.shift(), pause)).toBe('made');
    expect(pauses).toEqual([25, 50]);
  });

  it('pauses longer after each lost try up to a limit, then is refused', async () => {
    const { pauses, pause } = recordedPauses(1);
    const refusal = await refusalOf(() => untilMade(losing, pause));
    expect(refusal.kind).toBe('conflict');
    expect(pauses).toEqual([50, 100, 200, 400, 400, 400, 400, 400]);
  });

  it('may try again at once, by chance', async () => {
    const { pauses, pause } = recordedPauses(0);
    await refusalOf(() => untilMade(losing, pause));
    expect(new Set(pauses)).toEqual(new Set([0]));
  });

  it('is not tried again when it is refused', async () => {
    const { pauses, pause } = recordedPauses(1);
    const failing = () => Promise.reject(new Error('throttled'));
    await expect(untilMade(failing, pause)).rejects.toThrow('throttled');
    expect(pauses).toEqual([]);
  });
});

describe('many changes of one integration at once', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const passing = (milliseconds: number) =>
    new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

  /** A sequence of numbers in [0, 1) that looks random and is the same each time. */
  const drawing = () => {
    let last = 1;
    return () => {
      last = (last * 48_271) % 2_147_483_647;
      return last / 2_147_483_647;
    };
  };

  /** A store whose reads and writes take some milliseconds, and what changes it. */
  const aSlowStore = () => {
    const random = drawing();
    const integrations = new InMemoryIntegrations(anIntegration());
    const ports = {
      integrations: {
        find: async (account: string, id: string) => {
          await passing(3 + 5 * random());
          return integrations.find(account, id);
        },
        replace: async (...given: Parameters<InMemoryIntegrations['replace']>) => {
          await passing(3 + 5 * random());
          return integrations.replace(...given);
        },
        remove: async (...given: Parameters<InMemoryIntegrations['remove']>) => {
          await passing(3 + 5 * random());
          return integrations.remove(...given);
        },
      },
      settingsChange: {
        beforeChange: () => passing(0),
        afterChange: () => passing(0),
        beforeDeletion: () => passing(0),
        afterDeletion: () => passing(0),
      },
      now: () => new Date(),
      pause: buildPause({ random, sleep: passing }),
    };
    return { integrations, ports };
  };

  const sideBySide = async (count: number, change: ChangeIntegration) => {
    const all = Promise.allSettled(
      Array.from({ length: count }, () =>
        change({ ...REQUEST, by: ADA }, ({ active }) => ({ active })),
      ),
    );
    await vi.runAllTimersAsync();
    return (await all).map((settled) =>
      settled.status === 'fulfilled' ? settled.value.revision : settled.reason.kind,
    );
  };

  it('are all made, forty of them', async () => {
    const { integrations, ports } = aSlowStore();
    const revisions = await sideBySide(40, buildChangeIntegration(ports));
    expect(revisions.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 2),
    );
    expect(integrations.all).toMatchObject([{ revision: 41 }]);
  });

  it('do not keep the integration from being deleted', async () => {
    const { integrations, ports } = aSlowStore();
    const removed = buildDeleteIntegration(ports)({ ...REQUEST, by: ADA, precondition: () => {} });
    await sideBySide(10, buildChangeIntegration(ports));
    await removed;
    expect(integrations.all).toEqual([]);
  });
});

const { account, id, config } = unsealed(anIntegration());
const throttled = () => Promise.reject(new Error('throttled'));

const aRotation = (stored = anIntegration()) => {
  let secrets = 0;
  const integrations = new InMemoryIntegrations(stored);
  const schedules = new InMemoryRetrySchedules();
  const replays = new InMemoryReplayRequests();
  const now = () => new Date('2026-11-21T08:00:00.000Z');
  const rotateSecret = buildRotateSecret({
    changeIntegration: buildChangeIntegration({
      pause: async () => {},
      integrations,
      settingsChange: buildSettingsChange({ schedules, replays }),
      now,
    }),
    secrets: new InMemorySecrets(),
    newWebhookSecret: () => {
      secrets += 1;
      return `made webhook secret ${secrets}`;
    },
    now,
  });
  const rotate = (precondition = () => {}) =>
    rotateSecret({ account, id, by: ADA, body: {}, precondition });
  const storedConfig = () => integrations.all.map(unsealed)[0]?.config;
  return { rotate, integrations, replays, storedConfig };
};

describe('a rotation that fails on its way', () => {
  it('is repeatable after that, and still signs with the receiver’s secret', async () => {
    const { rotate, replays, storedConfig } = aRotation(troubled('failed'));
    const { request } = replays;
    Object.assign(replays, { request: throttled });
    await expect(rotate()).rejects.toThrow('throttled');
    expect(storedConfig()).toMatchObject({
      webhookSecret: config.webhookSecret,
      nextWebhookSecret: 'made webhook secret 1',
    });

    Object.assign(replays, { request });
    const { integration, nextSecret } = await rotate();
    expect(nextSecret).toBe('made webhook secret 2');
    expect(unsealed(integration).config).toMatchObject({
      webhookSecret: config.webhookSecret,
      nextWebhookSecret: 'made webhook secret 2',
      previousSecrets: [{ secret: 'made webhook secret 1', expiresAt: '2026-11-22T08:00:00.000Z' }],
    });
  });
});

describe('two rotations side by side', () => {
  it('both hold: the one that loses is made on what the other stored', async () => {
    const { rotate, integrations, storedConfig } = aRotation();
    const [one, other] = await Promise.all([rotate(), rotate()]);
    const newest = storedConfig();
    const secrets = [
      newest?.webhookSecret,
      newest?.nextWebhookSecret,
      ...(newest?.previousSecrets ?? []).map((p) => p.secret),
    ];
    expect(secrets).toContain(one.nextSecret);
    expect(secrets).toContain(other.nextSecret);
    expect(secrets).toContain(config.webhookSecret);
    expect(integrations.all).toMatchObject([{ revision: 3 }]);
  });
});
