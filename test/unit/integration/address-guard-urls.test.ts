import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { urlRefusal } from '../../../core/integration/address-guard.ts';

const DEPLOYED = { allowLoopback: false };
const LOCAL = { allowLoopback: true };
const ADDRESS = /private, local or otherwise reserved/;

/** Hosts by which one address can be written in a URL. */
const NOTATIONS: Record<string, string[]> = {
  '10.0.0.1': [
    '10.0.0.1',
    '10.0.0.1.',
    '167772161',
    '0xA000001',
    '0x0a.0x00.0x00.0x01',
    '012.0.0.01',
    '01200000001',
    '10.1',
    '10.0.1',
    '0xa.1',
    '012.0x0.1',
    '%31%30.0.0.1',
    '１０.０.０.１',
    '10。0。0。1',
    '⑩.⓪.⓪.①',
    '[::ffff:10.0.0.1]',
    '[::ffff:a00:1]',
    '[0:0:0:0:0:FFFF:0a00:0001]',
    '[::10.0.0.1]',
    '[::ffff:0:10.0.0.1]',
    '[64:ff9b::10.0.0.1]',
    '[2002:a00:1::]',
  ],
  '169.254.169.254': ['169.254.169.254', '2852039166', '[::ffff:a9fe:a9fe]'],
};

const LOOPBACK = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '127.255.255.254',
  '１２７.０.０.１',
  '①②⑦.⓪.⓪.①',
  '%31%32%37.0.0.1',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'ｌocalhost',
  'api.localhost',
  'api.localhost.',
];

describe('a webhook’s URL', () => {
  for (const [address, hosts] of Object.entries(NOTATIONS)) {
    it.each(hosts)(`is refused when it writes ${address} as %s`, (host) => {
      for (const policy of [DEPLOYED, LOCAL]) {
        expect(urlRefusal(`https://${host}/hook`, policy)).toMatch(ADDRESS);
      }
    });
  }

  it.each(LOOPBACK)('may lead to loopback as %s where that is allowed only', (host) => {
    expect(urlRefusal(`https://${host}:8443/hook`, DEPLOYED)).toMatch(ADDRESS);
    expect(urlRefusal(`https://${host}:8443/hook`, LOCAL)).toBeUndefined();
  });

  it.each(['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '0.0.0.0', '0', '[::]'])(
    'is refused for %s even where loopback is allowed',
    (host) => {
      expect(urlRefusal(`https://${host}/`, LOCAL)).toMatch(ADDRESS);
    },
  );

  it.each([
    'https://hooks.example.com',
    'https://hooks.example.com:8443/in?token=a%20b&x=[1]',
    'https://8.8.8.8/',
    'https://134744072/',
    'https://[2606:4700:4700::1111]/',
    'https://bücher.example/größe',
    'https://xn--bcher-kva.example/',
    'https://localhost.example.com/',
    'https://notlocalhost/',
    'HTTPS://HOOKS.EXAMPLE.COM/',
    'https://hooks.example.com./',
  ])('is accepted: %s', (url) => {
    expect(urlRefusal(url, DEPLOYED)).toBeUndefined();
  });

  it.each([
    ['', /absolute URL/],
    ['hooks.example.com', /absolute URL/],
    ['//hooks.example.com/', /absolute URL/],
    ['/hook', /absolute URL/],
    ['https://', /absolute URL/],
    ['https://hooks example.com/', /white space/],
    ['https://hooks.example.com/\ud800', /well-formed/],
    ['https://[::1/', /absolute URL/],
    ['https://1.2.3.256/', /absolute URL/],
    ['https://hooks.example.com:99999/', /absolute URL/],
    ['http://hooks.example.com/', /https/],
    ['ftp://hooks.example.com/', /https/],
    ['file:///etc/passwd', /https/],
    ['javascript:alert(1)', /https/],
    ['data:text/plain,x', /https/],
    ['https://user@hooks.example.com/', /user information/],
    ['https://user:password@hooks.example.com/', /user information/],
    ['https://:password@hooks.example.com/', /user information/],
    ['https://@hooks.example.com/', /user information/],
    [' https://hooks.example.com/', /white space/],
    ['https://hooks.example.com/\t', /white space/],
    ['https:\\\\hooks.example.com\\in', /backslashes/],
    ['\u0000https://hooks.example.com/', /control characters/],
    ['https://hooks.example.com/\u001f', /control characters/],
    ['https://hooks.example.com/a\u0001b', /control characters/],
    ['https://hooks\u0000.example.com/', /control characters/],
    ['https://hooks.example.com/?a=\u007f', /control characters/],
    ['https://hooks.example.com/a\u200bb', /invisible/],
    ['https://hooks\u200d.example.com/', /invisible/],
    ['https://hooks.example.com/\ufeff', /white space/],
    ['https://hooks.example.com/\u202egnp.exe', /invisible/],
    ['https://hooks.example.com/\u3164', /invisible/],
    ['https://hooks.example.com/\ue000', /undefined/],
    ['https://hooks.example.com/\u0378', /undefined/],
    ['https://hooks.example.com/\ufffd', /undefined/],
    ['https://hooks.example.com:0/', /port 0/],
    ['https://hooks.example.com:00/', /port 0/],
    ['https://./', /empty label/],
    ['https://../', /empty label/],
    ['https://a..b/', /empty label/],
    ['https://.hooks.example.com/', /empty label/],
    ['https://hooks.example.com../', /empty label/],
    ['https://hooks.example%2e%2ecom/', /empty label/],
    ['https://hooks。。example.com/', /empty label/],
    ['https:hooks.example.com', /https:\/\/ URL/],
    ['https:///hooks.example.com', /https:\/\/ URL/],
    ['https://hooks.example.com/#', /fragment/],
    ['https://hooks.example.com/#part', /fragment/],
  ])('is refused: %s', (url, reason) => {
    expect(urlRefusal(url, LOCAL)).toMatch(reason);
  });

  it('may have 2048 characters and no more', () => {
    const longest = `https://hooks.example.com/${'x'.repeat(2_048 - 26)}`;
    expect(urlRefusal(longest, DEPLOYED)).toBeUndefined();
    expect(urlRefusal(`${longest}x`, DEPLOYED)).toMatch(/2048 characters/);
  });

  it('never makes the guard throw', () => {
    const host = fc.oneof(fc.domain(), fc.ipV4Extended(), fc.ipV6(), fc.string({ unit: 'binary' }));
    const url = fc.tuple(fc.constantFrom('https://', 'http://', ''), host, fc.webPath());
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          url.map((parts) => parts.join('')),
        ),
        (text) => {
          expect(['string', 'undefined']).toContain(typeof urlRefusal(text, DEPLOYED));
        },
      ),
    );
  });

  it('is refused for any address in 10.0.0.0/8, written as one number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0x0a000000, max: 0x0affffff }), (number) => {
        expect(urlRefusal(`https://${number}/`, DEPLOYED)).toMatch(ADDRESS);
        expect(urlRefusal(`https://0x${number.toString(16)}/`, DEPLOYED)).toMatch(ADDRESS);
        expect(urlRefusal(`https://0${number.toString(8)}/`, DEPLOYED)).toMatch(ADDRESS);
      }),
    );
  });
});

describe('An address of the service itself', () => {
  const OWN = {
    allowLoopback: false,
    ownHosts: ['api.example.com', 'abc123.execute-api.eu-west-1.amazonaws.com'],
  };

  it.each([
    'https://api.example.com/integrations/8Fq2LmZ0aBcD/test',
    'https://API.example.com./',
    'https://api.example.com:8443/',
    'https://api%2Eexample.com/',
    'https://ａpi.example.com/',
    'https://ABC123.execute-api.eu-west-1.amazonaws.com/prod/me',
  ])('is refused: %s', (url) => {
    expect(urlRefusal(url, OWN)).toMatch(/this service itself/);
  });

  it.each([
    'https://hooks.example.com/',
    'https://api.example.com.example.org/',
    'https://abc124.execute-api.eu-west-1.amazonaws.com/prod/in',
    'https://example.com/?to=https://api.example.com/',
  ])('is no other: %s', (url) => {
    expect(urlRefusal(url, OWN)).toBeUndefined();
  });
});
