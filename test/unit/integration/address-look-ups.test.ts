import { describe, expect, it } from 'vitest';
import { buildSettingsChange } from '../../../core/delivery/trouble/settings-change.ts';
import { buildChangeIntegration } from '../../../core/integration/change-integration.ts';
import {
  buildPatchIntegration,
  buildReplaceIntegration,
} from '../../../core/integration/write-integration.ts';
import { InMemoryReplayRequests } from '../../support/delivery/pending/in-memory-replay-requests.ts';
import { InMemoryRetrySchedules } from '../../support/delivery/trouble/in-memory-retry-schedules.ts';
import { InMemoryIntegrations } from '../../support/integration/in-memory-integrations.ts';
import { InMemorySecrets } from '../../support/integration/in-memory-secrets.ts';
import { ADA, aDocument, anIntegration } from '../../support/integration/integrations.ts';
import { refusalOf } from '../../support/refusals.ts';

const now = () => new Date('2026-11-21T08:00:00.000Z');
const config = { baseUrl: 'https://silent.example.com/in' };

/** Saves that lose so many races, with the names that they ask DNS for. */
const saving = (lostRaces: number) => {
  const asked: string[] = [];
  const integrations = new InMemoryIntegrations(anIntegration());
  let tries = 0;
  const ports = {
    changeIntegration: buildChangeIntegration({
      integrations: {
        find: (account, id) => integrations.find(account, id),
        replace: async (changed, stored) => {
          tries += 1;
          return tries > lostRaces && integrations.replace(changed, stored);
        },
      },
      settingsChange: buildSettingsChange({
        schedules: new InMemoryRetrySchedules(),
        replays: new InMemoryReplayRequests(),
      }),
      pause: async () => {},
      now,
    }),
    hosts: {
      resolve: async (name: string) => {
        asked.push(name);
        return undefined;
      },
    },
    guard: { allowLoopback: false },
    secrets: new InMemorySecrets(),
    now,
  };
  const { account, id } = anIntegration();
  const request = { account, id, by: ADA, precondition: () => {} };
  return {
    asked,
    put: () => buildReplaceIntegration(ports)({ ...request, body: aDocument({ config }) }),
    patch: () => buildPatchIntegration(ports)({ ...request, body: { config } }),
  };
};

describe.each(['put', 'patch'] as const)('a %s to a host whose DNS is silent', (method) => {
  it.each([0, 1, 2, 5, 8])('looks the name up once, and loses %i races', async (lostRaces) => {
    const saves = saving(lostRaces);
    const { warnings } = await saves[method]();

    expect(saves.asked).toEqual(['silent.example.com']);
    expect(warnings).toMatchObject([{ pointer: '/config/baseUrl' }]);
  });

  it('looks the name up once if it loses every race', async () => {
    const saves = saving(Infinity);

    expect((await refusalOf(saves[method])).kind).toBe('conflict');
    expect(saves.asked).toEqual(['silent.example.com']);
  });
});
