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
  'in base64': (value) => `{"value":"${Buffer.from(value).toString('base64')}"}`,
  'in other letters': (value) => `Unknown key: ${value.toUpperCase()}.`,
};

describe('the answer of an endpoint', () => {
  for (const [how, encode] of Object.entries(ENCODINGS)) {
    it.each(VALUES)(`has no value that it repeats ${how}: %s`, (value) => {
      const before = encode(value);

      const after = filterAnswer(before, { 'X-Api-Key': value });

      expect(after).toContain('[FILTERED]');
      const frame = encode('FILTERED').replaceAll(/[^A-Za-z]+/g, '');
      if (how !== 'in base64' && how !== 'in other letters') {
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
    ['Bearer s3cr3t-token-1', 'unknown token s3cr3t-token-1', 'unknown token [FILTERED]'],
    ['Basic YWRhOmxvdmVsYWNl', 'user ada:lovelace', 'user [FILTERED]'],
    ['Basic YWRhOmxvdmVsYWNl', 'wrong password "lovelace"', 'wrong password "[FILTERED]"'],
    ['Basic YWRhOmxvdmVsYWNl', 'YWRhOmxvdmVsYWNl', '[FILTERED]'],
    ['1', '{"version":"1","at":"2011-11-11"}', '{"version":"[FILTERED]","at":"2011-11-11"}'],
    ['key-12345', 'key-12345key-12345', '[FILTERED][FILTERED]'],
    ['key-12345', 'No such key.', 'No such key.'],
    ['key-12345', '', ''],
  ])('with the value %j and the text %j becomes %j', (value, before, after) => {
    expect(filterAnswer(before, { 'X-Api-Key': value })).toBe(after);
  });

  it('stays as it is without headers, and no longer than 1 KiB with them', () => {
    const text = '7 '.repeat(512);
    expect(filterAnswer(text, {})).toBe(text);
    expect(filterAnswer(text, { 'X-Tenant': '7' })).toHaveLength(1_024);
  });
});
