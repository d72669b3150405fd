import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDeliverableAddress } from '../../../core/integration/address-guard.ts';

const DEPLOYED = { allowLoopback: false };
const LOCAL = { allowLoopback: true };

/** First and last address of each block of the IANA special-purpose registries. */
const SPECIAL_V4: [block: string, first: string, last: string][] = [
  ['this network', '0.0.0.0', '0.255.255.255'],
  ['private', '10.0.0.0', '10.255.255.255'],
  ['carrier NAT', '100.64.0.0', '100.127.255.255'],
  ['link-local, cloud metadata', '169.254.0.0', '169.254.255.255'],
  ['private', '172.16.0.0', '172.31.255.255'],
  ['IETF protocol assignments', '192.0.0.0', '192.0.0.255'],
  ['documentation', '192.0.2.0', '192.0.2.255'],
  ['6to4 relay anycast', '192.88.99.0', '192.88.99.255'],
  ['private', '192.168.0.0', '192.168.255.255'],
  ['benchmarking', '198.18.0.0', '198.19.255.255'],
  ['documentation', '198.51.100.0', '198.51.100.255'],
  ['documentation', '203.0.113.0', '203.0.113.255'],
  ['multicast', '224.0.0.0', '239.255.255.255'],
  ['reserved', '240.0.0.0', '255.255.255.254'],
  ['broadcast', '255.255.255.255', '255.255.255.255'],
  ['Azure’s wire server', '168.63.129.16', '168.63.129.16'],
];

const SPECIAL_V6: [block: string, first: string, last: string][] = [
  ['unspecified', '::', '::'],
  ['IPv4-compatible', '::10.0.0.1', '::8.8.8.8'],
  ['IPv4-mapped', '::ffff:0:0', '::ffff:255.255.255.255'],
  ['IPv4-mapped, public', '::ffff:8.8.8.8', '::ffff:8.8.8.8'],
  ['IPv4-translated', '::ffff:0:0:0', '::ffff:0:8.8.8.8'],
  ['NAT64', '64:ff9b::', '64:ff9b::255.255.255.255'],
  ['NAT64, local', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['discard', '100::', '100::ffff:ffff:ffff:ffff'],
  ['dummy', '100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff'],
  ['Teredo', '2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['benchmarking', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  ['ORCHID', '2001:10::', '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['6to4', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['documentation', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['segment routing', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['unique local', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['cloud metadata', 'fd00:ec2::254', 'fd00:ec2::254'],
  ['link-local', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['site-local', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['multicast', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['never allocated', '4000::', 'efff::'],
];

describe('the delivery guard', () => {
  it.each([...SPECIAL_V4, ...SPECIAL_V6])('refuses %s: %s to %s', (_block, first, last) => {
    for (const policy of [DEPLOYED, LOCAL]) {
      expect(isDeliverableAddress(first, policy)).toBe(false);
      expect(isDeliverableAddress(last, policy)).toBe(false);
    }
  });

  it.each(['127.0.0.0', '127.0.0.1', '127.255.255.255', '::1'])(
    'lets loopback %s through where that is allowed only',
    (address) => {
      expect(isDeliverableAddress(address, DEPLOYED)).toBe(false);
      expect(isDeliverableAddress(address, LOCAL)).toBe(true);
    },
  );

  it.each([
    '1.0.0.0',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2000::',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
    '2001:4860:4860::8888',
  ])('lets %s through, which is public', (address) => {
    expect(isDeliverableAddress(address, DEPLOYED)).toBe(true);
  });

  it.each([
    '',
    'localhost',
    'example.com',
    '1.2.3.4.5',
    '256.1.1.1',
    '::g',
    '[::1]',
    '8.8.8.8:443',
  ])('refuses %j, which is no address', (text) => {
    expect(isDeliverableAddress(text, LOCAL)).toBe(false);
  });

  it('never throws, whatever it is asked', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4Extended(), fc.ipV6()), (text) => {
        expect(isDeliverableAddress(text, DEPLOYED)).toBeTypeOf('boolean');
      }),
    );
  });

  it('refuses every IPv4 address inside IPv6, public ones too', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom('::', '::ffff:', '64:ff9b::'), (address, prefix) => {
        expect(isDeliverableAddress(prefix + address, DEPLOYED)).toBe(false);
      }),
    );
  });
});
