import { describe, expect, it } from 'vitest';
import { buildSettingsChange } from '../../../core/delivery/trouble/settings-change.ts';
import { buildChangeIntegration } from '../../../core/integration/change-integration.ts';
import { buildRotateSecret } from '../../../core/integration/rotate-secret.ts';
import { InMemoryReplayRequests } from '../../support/delivery/pending/in-memory-replay-requests.ts';
import { InMemoryRetrySchedules } from '../../support/delivery/trouble/in-memory-retry-schedules.ts';
import { troubled } from '../../support/delivery/trouble/troubled.ts';
import { InMemoryIntegrations } from '../../support/integration/in-memory-integrations.ts';
import { InMemorySecrets, unsealed } from '../../support/integration/in-memory-secrets.ts';
import { anIntegration } from '../../support/integration/integrations.ts';

const { account, id, config } = anIntegration();
const FIRST = { secret: config.webhookSecret, expiresAt: '2026-11-22T08:00:00.000Z' };
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
  const rotate = (precondition = () => {}) => rotateSecret({ account, id, body: {}, precondition });
  const storedConfig = () => integrations.all.map(unsealed)[0]?.config;
  return { rotate, integrations, replays, storedConfig };
};

describe('a rotation that fails on its way', () => {
  it('can be repeated after that, and the receiver’s secret is still signed with', async () => {
    const { rotate, replays, storedConfig } = aRotation(troubled('failed'));
    const { request } = replays;
    Object.assign(replays, { request: throttled });
    await expect(rotate()).rejects.toThrow('throttled');
    expect(storedConfig()?.previousSecrets).toEqual([FIRST]);

    Object.assign(replays, { request });
    const { integration, newSecret } = await rotate();
    const { config } = unsealed(integration);
    expect([config.webhookSecret, newSecret]).toEqual([
      'made webhook secret 2',
      'made webhook secret 2',
    ]);
    expect(config.previousSecrets).toContainEqual(FIRST);
  });
});

describe('two rotations side by side', () => {
  it('both hold: the one that loses is made on what the other stored', async () => {
    const { rotate, integrations, storedConfig } = aRotation();
    const [one, other] = await Promise.all([rotate(), rotate()]);
    const newest = storedConfig();
    const secrets = [
      newest?.webhookSecret,
      ...(newest?.previousSecrets ?? []).map((p) => p.secret),
    ];
    expect(secrets).toContain(one.newSecret);
    expect(secrets).toContain(other.newSecret);
    expect(secrets).toContain(config.webhookSecret);
    expect(integrations.all).toMatchObject([{ revision: 3 }]);
  });
});
