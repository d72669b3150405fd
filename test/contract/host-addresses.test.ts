import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DnsHostAddresses } from '../../adapters/http/dns-host-addresses.ts';
import type { HostAddresses } from '../../core/integration/settings-of.ts';
import { NameServer, SILENT } from '../support/dns/name-server.ts';
import { InMemoryHostAddresses } from '../support/integration/in-memory-host-addresses.ts';

const BOTH = { a: ['8.8.8.8', '8.8.4.4'], aaaa: ['2606:4700::1111'] };
const STAGE = { allowLoopback: false };
/** Three tries of a silent name server, and a bit. */
const BRIEF_MS = 800;

let server: NameServer;
beforeAll(async () => {
  server = await NameServer.start({
    'both.example.com': BOTH,
    'six.example.com': { aaaa: BOTH.aaaa },
    'none.example.com': {},
    'alias.example.com': { ...BOTH, cname: 'host.elsewhere.example' },
    'long.example.com': { ...BOTH, overTcp: true },
    'broken.example.com': { failure: 2 },
    'silent.example.com': SILENT,
    'four.example.com': { ...BOTH, silent: ['aaaa'] },
    'no-four.example.com': { ...BOTH, silent: ['a'] },
    intranet: BOTH,
  });
});
afterAll(() => server.close());

const ofDns = (timeoutMs?: number) =>
  new DnsHostAddresses(STAGE, { servers: [server.address], ...(timeoutMs && { timeoutMs }) });

const contract = (name: string, hostsOf: () => HostAddresses) =>
  describe(`${name} as the source of a host's addresses`, () => {
    it('gives every address of a name', async () => {
      expect(await hostsOf().resolve('both.example.com')).toEqual([...BOTH.a, ...BOTH.aaaa]);
    });

    it('gives none for a name that does not exist', async () => {
      expect(await hostsOf().resolve('nobody.invalid')).toEqual([]);
    });

    it.each(['[2606:4700::1111]', 'a..b', '*.example', 'x'.repeat(300)])(
      'gives none for %s, which is no name',
      async (hostname) => {
        expect(await hostsOf().resolve(hostname)).toEqual([]);
      },
    );

    it('gives undefined for a name of which there is no answer in time', async () => {
      expect(await hostsOf().resolve('silent.example.com')).toBeUndefined();
    });
  });

contract('memory', () => {
  const both = [...BOTH.a, ...BOTH.aaaa];
  return new InMemoryHostAddresses({ 'both.example.com': both, 'silent.example.com': 'silent' });
});
contract('DNS', () => ofDns(BRIEF_MS));

describe('the addresses of a host in DNS', () => {
  it.each([
    ['of the name that a name is an alias of', 'alias.example.com'],
    ['of an answer too long for UDP', 'long.example.com'],
    ['of a name with the dot of the root', 'both.example.com.'],
    ['of a name without a dot, as it is', 'intranet'],
  ])('are those %s', async (_what, hostname) => {
    expect(await ofDns().resolve(hostname)).toEqual([...BOTH.a, ...BOTH.aaaa]);
  });

  it.each([
    ['IPv6 alone if there are no others', 'six.example.com', BOTH.aaaa],
    ['IPv4 alone if IPv6 is not answered', 'four.example.com', BOTH.a],
    ['none if the name has none', 'none.example.com', []],
    ['none if DNS fails', 'broken.example.com', []],
    ['not known if IPv4 is not answered', 'no-four.example.com', undefined],
  ])('are %s', async (_what, hostname, expected) => {
    expect(await ofDns(BRIEF_MS).resolve(hostname)).toEqual(expected);
  });

  it('are found while other names are not answered', async () => {
    const slow = Array.from({ length: 3 }, () => ofDns(BRIEF_MS).resolve('silent.example.com'));
    expect(await ofDns().resolve('both.example.com')).toHaveLength(3);
    expect(await Promise.all(slow)).toEqual([undefined, undefined, undefined]);
  });

  it('are not those of the machine’s hosts file, nor of a search domain', async () => {
    expect(await ofDns().resolve('localhost')).toEqual([]);
    expect([...server.asked].filter((name) => name.includes('localhost'))).toEqual(['localhost']);
  });
});

describe('the addresses of a host where loopback is allowed', () => {
  it('are those that the machine knows', async () => {
    const hosts = new DnsHostAddresses({ allowLoopback: true });
    expect(await hosts.resolve('localhost')).toContain('127.0.0.1');
  });
});
