import { describe, expect, it } from 'vitest';
import { presentIntegration } from '../../../core/integration/integration-resource.ts';
import { buildSettingsOf } from '../../../core/integration/settings-of.ts';
import { InMemoryHostAddresses } from '../../support/integration/in-memory-host-addresses.ts';
import { aDocument, anIntegration } from '../../support/integration/integrations.ts';

const settingsOf = buildSettingsOf({
  hosts: new InMemoryHostAddresses({ 'there.example.com': ['8.8.8.8'] }),
  guard: { allowLoopback: false },
});

const documentAt = (baseUrl: string) => aDocument({ config: { baseUrl } });

const WARNING = {
  pointer: '/config/baseUrl',
  detail: expect.stringContaining('could not be resolved just now'),
};

describe('a host name that does not resolve', () => {
  const missing = 'https://missing.example.com/in';

  it('is taken, with a warning that names the member', async () => {
    const { settings, warnings } = await settingsOf(documentAt(missing));

    expect(settings.config.baseUrl).toBe(missing);
    expect(warnings).toEqual([WARNING]);
  });

  it('is not looked up, and not warned of, where it is stored already', async () => {
    const { warnings } = await settingsOf(documentAt(missing), {
      baseUrl: missing,
      webhookSecret: 'a secret of the tests',
    });

    expect(warnings).toEqual([]);
  });

  it.each(['https://there.example.com/', 'https://8.8.4.4/'])(
    'is none where it does, or where the address needs no name: %s',
    async (baseUrl) => {
      expect((await settingsOf(documentAt(baseUrl))).warnings).toEqual([]);
    },
  );

  it('is shown in the answer to the call alone, and its warning can be sent back', async () => {
    const now = new Date('2026-11-20T12:00:00.000Z');
    const { warnings } = await settingsOf(documentAt(missing));
    const answered = presentIntegration(anIntegration(), now, { warnings });

    expect(answered.warnings).toEqual([WARNING]);
    expect(presentIntegration(anIntegration(), now)).not.toHaveProperty('warnings');
    await expect(settingsOf(answered, anIntegration().config)).resolves.toBeDefined();
  });
});
