import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterAnswer } from '../../../../core/delivery/sending/filter-answer.ts';

const VALUES = [
  'sk_live_4eC39HqLyjWDarjtT1zdp7dc',
  'b0/ZK+7kTq8=/x==',
  'Bearer eyJhbGciOiJIUzI1NiJ9.e30.ZRrHA1JJJW8opsbCGfG_HACGpVUMN_a9IVg7pAx_Zmeo',
  'a "quoted" \\ <key> & \'more\' $1 $& (.*)',
  'short1',
  '7',
  'v'.repeat(512),
];

const unicodeEscape = (char: string): string =>
  `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

const ENCODINGS: Readonly<Record<string, (value: string) => string>> = {
  'as it is': (value) => value,
  'in JSON': (value) => JSON.stringify({ headers: { 'x-api-key': value } }),
  'in JSON of PHP': (value) => JSON.stringify({ key: value }).replaceAll('/', '\\/'),
  'in JSON within JSON': (value) => JSON.stringify({ event: JSON.stringify({ key: value }) }),
  'in HTML': (value) =>
    `<td>${value
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;')}</td>`,
  'in a URL': (value) => `/login?key=${encodeURIComponent(value)}&x=1`,
  'in a form': (value) => new URLSearchParams({ key: value, x: '1' }).toString(),
  'in lower-case escapes': (value) =>
    encodeURIComponent(value).replaceAll(/%../g, (escaped) => escaped.toLowerCase()),
  'in entities': (value) =>
    `<p>${[...value].map((char) => `&#x${char.charCodeAt(0).toString(16)};`).join('')}</p>`,
  'in Unicode escapes': (value) => `{"key":"${[...value].map(unicodeEscape).join('')}"}`,
  'in base64': (value) => `{"value":"${Buffer.from(value).toString('base64')}"}`,
  'in other letters': (value) => `Unknown key: ${value.toUpperCase()}.`,
};

const IN_OTHER_SIGNS = ['in base64', 'in other letters', 'in entities', 'in Unicode escapes'];

describe('the answer of an endpoint', () => {
  for (const [how, encode] of Object.entries(ENCODINGS)) {
    it.each(VALUES)(`has no value that it repeats ${how}: %s`, (value) => {
      const before = encode(value);

      const after = filterAnswer(before, { 'X-Api-Key': value });

      expect(after).toContain('[FILTERED]');
      const frame = encode('FILTERED').replaceAll(/[^A-Za-z]+/g, '');
      if (!IN_OTHER_SIGNS.includes(how)) {
        expect(after.replaceAll(/[^A-Za-z]+/g, '')).toBe(frame);
      }
      expect(after.toLowerCase()).not.toContain(value.slice(0, 8).toLowerCase());
    });
  }

  it('has no part of a value that it is cut off in', () => {
    for (const value of VALUES.filter(({ length }) => length >= 8)) {
      for (const encode of [ENCODINGS['as it is'], ENCODINGS['in JSON'], ENCODINGS['in a URL']]) {
        const whole = encode?.(value) ?? '';
        const begin = whole.length - (encode?.('').length ?? 0);
        for (let length = 1; length <= whole.length; length += 1) {
          const after = filterAnswer(whole.slice(0, length), { Key: value, Other: 'unrelated' });
          expect(after).not.toContain(value.slice(0, 4));
          expect(begin).toBeGreaterThan(0);
        }
      }
    }
  });

  it.each([
    ['Bearer s3cr3t-token-1', 'unknown token s3cr3t-token-1', 'unknown token[FILTERED]'],
    ['Basic YWRhOmxvdmVsYWNl', 'user ada:lovelace', 'user [FILTERED]'],
    ['Basic YWRhOmxvdmVsYWNl', 'wrong password "lovelace"', 'wrong password "[FILTERED]"'],
    ['Basic YWRhOmxvdmVsYWNl', 'YWRhOmxvdmVsYWNl', '[FILTERED]'],
    ['1', '{"version":"1","at":"2011-11-11"}', '{"version":"[FILTERED]","at":"2011-11-11"}'],
    ['key-12345', 'key-12345key-12345', '[FILTERED]'],
    ['Token token="4f9d1c77ab02"', 'unknown token 4f9d1c77ab02', 'unknown token [FILTERED]'],
    [
      'sk_live_4eC39HqLyjWDarjtT1zdp7dc',
      'Invalid API key sk_live_4eC…',
      'Invalid API key [FILTERED]…',
    ],
    ['sk_live_4eC39HqLyjWDarjtT1zdp7dc', 'ends with …7dc', 'ends with …7dc'],
    ['sk_live_4eC39HqLyjWDarjtT1zdp7dc', 'example.com/k/sk_li...', 'example.com/k/[FILTERED]'],
    ['key-12345', 'No such key.', 'No such key.'],
    ['key-12345', '', ''],
  ])('with the value %j and the text %j becomes %j', (value, before, after) => {
    expect(filterAnswer(before, { 'X-Api-Key': value })).toBe(after);
  });

  /** Encodings of eight bytes and more, also behind and before other text. */
  const IN_OTHER_LETTERS: Readonly<Record<string, (part: string) => string>> = {
    hex: (part) => Buffer.from(part).toString('hex'),
    base64: (part) => Buffer.from(part).toString('base64'),
    base64url: (part) => Buffer.from(part).toString('base64url'),
    'base64 of more': (part) => Buffer.from(`key:${part}:x`).toString('base64url'),
    'a form': (part) => new URLSearchParams({ '': part }).toString().slice(1),
    'JSON within JSON': (part) => JSON.stringify(JSON.stringify(part)).slice(3, -3),
  };

  const ASCII = Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at));
  const aValue = (minLength: number, units: readonly string[] = ASCII) =>
    fc.string({ unit: fc.constantFrom(...units), minLength, maxLength: 60 });
  /** Without what begins an escape. */
  const plain = (minLength: number) =>
    aValue(
      minLength,
      ASCII.filter((char) => !'%&\\'.includes(char)),
    );
  const aroundIt = fc.string({ unit: fc.constantFrom(...'αβγ \n<'), maxLength: 20 });

  it.each(Object.entries(IN_OTHER_LETTERS))('has no part of a value in %s', (_, encode) => {
    fc.assert(
      fc.property(
        ...[plain(16), plain(16), aroundIt, aroundIt, fc.nat(40)],
        (value, other, before, after, skipped) => {
          const part = value.slice(
            skipped % (value.length - 12),
            (skipped % (value.length - 12)) + 12,
          );
          const shown = filterAnswer(`${before}·${encode(part)}·${after}`, {
            Key: value,
            Other: other,
          });

          expect(shown).not.toContain(encode(part));
          expect(shown.startsWith(`${before}·`) && shown.endsWith(`·${after}`)).toBe(true);
        },
      ),
    );
  });

  it('has no eight characters in a row of a value', () => {
    fc.assert(
      fc.property(aValue(8), aroundIt, fc.nat(), fc.nat(), (value, around, from, length) => {
        const begin = from % (value.length - 7);
        const part = value.slice(begin, begin + 8 + (length % value.length));
        const shown = filterAnswer(`${around}·${part}·${around}`, { 'X-Api-Key': value });

        for (let at = 0; at + 8 <= part.length; at += 1) {
          expect(shown).not.toContain(part.slice(at, at + 8));
        }
        expect(shown.startsWith(`${around}·`)).toBe(true);
      }),
    );
  });

  it('keeps what has nothing of a value, however it is escaped', () => {
    const text = '{"error":"caf\\u00e9 \\"closed\\" &amp; 100%25","at":"C:\\\\Temp"}\n';
    expect(filterAnswer(text, { 'X-Api-Key': VALUES[0] ?? '' })).toBe(text);
  });

  it('stays as it is without headers, and no longer than 1 KiB with them', () => {
    const text = '7 '.repeat(512);
    expect(filterAnswer(text, {})).toBe(text);
    expect(filterAnswer(text, { 'X-Tenant': '7' })).toHaveLength(1_024);
  });
});
