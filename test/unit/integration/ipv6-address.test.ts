import { describe, expect, it } from 'vitest';
import { buildSettingsOf } from '../../../core/integration/settings-of.ts';
import { InMemoryHostAddresses } from '../../support/integration/in-memory-host-addresses.ts';
import { aDocument } from '../../support/integration/integrations.ts';
import { refusalOf } from '../../support/refusals.ts';

const hosts = new InMemoryHostAddresses({
  'six.example.com': ['2606:4700::1111', '2a00:1450:4001:81b::200e'],
  'both.example.com': ['2606:4700::1111', '8.8.8.8'],
  'inside.example.com': ['2606:4700::1111', 'fd00:ec2::254'],
  localhost: ['::1'],
});

const settingsAt = (baseUrl: string, { allowLoopback = false } = {}) =>
  buildSettingsOf({ hosts, guard: { allowLoopback } })(aDocument({ config: { baseUrl } }));
const faultsAt = async (baseUrl: string, policy?: { allowLoopback: boolean }) =>
  (await refusalOf(() => settingsAt(baseUrl, policy))).faults;

const POINTER = '/config/baseUrl';

describe('a webhook over IPv6', () => {
  it('is saved with a warning when its host name has IPv6 addresses alone', async () => {
    const { settings, warnings } = await settingsAt('https://six.example.com/in');
    expect(settings.config.baseUrl).toBe('https://six.example.com/in');
    expect(warnings).toEqual([
      { pointer: POINTER, detail: expect.stringContaining('has no IPv4 address') },
    ]);
  });

  it.each([false, true])(
    'is refused when its host is an IPv6 address, loopback allowed: %s',
    async (allowLoopback) => {
      expect(await faultsAt('https://[2606:4700::1111]/in', { allowLoopback })).toEqual([
        { pointer: POINTER, detail: expect.stringContaining('IPv6 address as its host') },
      ]);
    },
  );

  it.each(['https://[fd00:ec2::254]/', 'https://[::1]/', 'https://inside.example.com/'])(
    'is refused as private or reserved when its address is so: %s',
    async (baseUrl) => {
      expect(await faultsAt(baseUrl)).toEqual([
        { pointer: POINTER, detail: expect.stringContaining('private, local or otherwise') },
      ]);
    },
  );

  it.each(['https://[::1]:8443/in', 'https://localhost:8443/in'])(
    'is saved without a warning when it leads to loopback, where that is allowed: %s',
    async (baseUrl) => {
      expect((await settingsAt(baseUrl, { allowLoopback: true })).warnings).toEqual([]);
    },
  );

  it('is saved without a warning when its host name has an IPv4 address, too', async () => {
    expect((await settingsAt('https://both.example.com/')).warnings).toEqual([]);
  });
});
