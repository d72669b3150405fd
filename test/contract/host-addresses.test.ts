import { describe, expect, it } from 'vitest';
import { DnsHostAddresses } from '../../adapters/http/dns-host-addresses.ts';
import type { HostAddresses } from '../../core/integration/settings-of.ts';
import { InMemoryHostAddresses } from '../support/integration/in-memory-host-addresses.ts';

const hostAddressesContract = (name: string, hosts: HostAddresses) =>
  describe(`${name} as the source of a host's addresses`, () => {
    it('gives every address of a name', async () => {
      expect(await hosts.resolve('localhost')).toContain('127.0.0.1');
    });

    it('gives none for a name that does not exist', async () => {
      expect(await hosts.resolve('nobody.invalid')).toEqual([]);
    });

    it.each(['[2606:4700::1111]', 'a..b', '*.example', 'x'.repeat(300)])(
      'gives none for %s, which is no name',
      async (hostname) => {
        expect(await hosts.resolve(hostname)).toEqual([]);
      },
    );
  });

hostAddressesContract('memory', new InMemoryHostAddresses({ localhost: ['127.0.0.1', '::1'] }));
hostAddressesContract('the system’s resolver', new DnsHostAddresses());
