import { describe, expect, it } from 'vitest';
import { presentIntegration } from '../../../core/integration/integration-resource.ts';
import { buildSettingsOf } from '../../../core/integration/settings-of.ts';
import { InMemoryHostAddresses } from '../../support/integration/in-memory-host-addresses.ts';
import { aDocument, anIntegration } from '../../support/integration/integrations.ts';
import { refusalOf } from '../../support/refusals.ts';

const POINTER = '/config/baseUrl';
const MISSING = 'https://missing.example.com/in';

const hosts = new InMemoryHostAddresses({
  'public.example.com': ['8.8.8.8', '2606:4700::1111'],
  'six.example.com': ['2606:4700::1111', '2a00:1450:4001:81b::200e'],
  'inside.example.com': ['10.0.0.1'],
  'loopback.example.com': ['::1'],
  'metadata.example.com': ['8.8.8.8', '169.254.169.254'],
  'mixed.example.com': ['192.168.0.1', '8.8.8.8', '2606:4700::1111'],
  'mixed-six.example.com': ['2606:4700::1111', 'fd00:ec2::254'],
  'slow.example.com': 'silent',
  localhost: ['127.0.0.1', '::1'],
});

const settingsAt = (baseUrl: string, { allowLoopback = false } = {}) =>
  buildSettingsOf({ hosts, guard: { allowLoopback } })(aDocument({ config: { baseUrl } }));

/** Each is refused as an address that is private, local or otherwise reserved. */
const INSIDE = [
  'https://10.0.0.1/',
  'https://localhost/',
  'https://[::1]/',
  'https://[fd00:ec2::254]/',
  'https://inside.example.com/',
  'https://loopback.example.com/',
  'https://metadata.example.com/',
  'https://mixed.example.com/',
  'https://mixed-six.example.com/',
];

const warningOf = (detail: string) => [
  { pointer: POINTER, detail: expect.stringContaining(detail) },
];
const UNRESOLVED = warningOf('could not be resolved');

describe('a webhook’s address', () => {
  it.each([
    'https://public.example.com/',
    'https://8.8.4.4/',
    'https://[::1]:8443/in',
    'https://localhost:8443/in',
  ])(
    'is saved without a warning where it is public, or on a loopback that is allowed: %s',
    async (baseUrl) => {
      const { settings, warnings } = await settingsAt(baseUrl, { allowLoopback: true });
      expect(settings.config.baseUrl).toBe(baseUrl);
      expect(warnings).toEqual([]);
    },
  );

  it.each<[baseUrl: string, detail: string]>([
    ['http://public.example.com/', 'must be an https:// URL'],
    ['nonsense', 'must be an absolute URL'],
    ...INSIDE.map((baseUrl): [string, string] => [baseUrl, 'private, local or otherwise']),
  ])('is refused: %s', async (baseUrl, detail) => {
    expect((await refusalOf(() => settingsAt(baseUrl))).faults).toEqual(warningOf(detail));
  });

  it.each([false, true])(
    'is refused when its host is an IPv6 address, loopback allowed: %s',
    async (allowLoopback) => {
      const { faults } = await refusalOf(() =>
        settingsAt('https://[2606:4700::1111]/in', { allowLoopback }),
      );
      expect(faults).toEqual(warningOf('IPv6 address as its host'));
    },
  );

  it.each([
    ['has IPv6 addresses alone', 'https://six.example.com/in', warningOf('has no IPv4 address')],
    ['was not checked in time', 'https://slow.example.com/in', warningOf('were not checked')],
    ['does not resolve: the connection is guarded, too', MISSING, UNRESOLVED],
  ])('is saved with a warning when its host name %s', async (_case, baseUrl, expected) => {
    const { settings, warnings } = await settingsAt(baseUrl);
    expect(settings.config.baseUrl).toBe(baseUrl);
    expect(warnings).toEqual(expected);
  });

  it('is not looked up, and not warned of, where it is stored already', async () => {
    const settingsOf = buildSettingsOf({ hosts, guard: { allowLoopback: false } });
    const stored = { ...anIntegration().config, baseUrl: MISSING };
    const { warnings } = await settingsOf(aDocument({ config: { baseUrl: MISSING } }), stored);
    expect(warnings).toEqual([]);
  });

  it('shows its warning in the answer to the call, which can be sent back', async () => {
    const now = new Date('2026-11-20T12:00:00.000Z');
    const { warnings } = await settingsAt(MISSING);
    const answered = presentIntegration(anIntegration(), now, { warnings });
    expect(answered.warnings).toEqual(UNRESOLVED);
    expect(presentIntegration(anIntegration(), now)).not.toHaveProperty('warnings');
    const settingsOf = buildSettingsOf({ hosts, guard: { allowLoopback: false } });
    await expect(settingsOf(answered, anIntegration().config)).resolves.toBeDefined();
  });
});
