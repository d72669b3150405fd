import fc from 'fast-check';

/** Of UTF-16 code units: half surrogates, control characters and all. */
const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
  maxLength: 40,
});

export const oddText: fc.Arbitrary<string> = fc.oneof(
  anyText,
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\n',
    '\ud800',
    'half \udfff of a pair',
    '\u202eright to left',
    'e\u0301',
    '👩‍👩‍👧‍👦',
    '\ufeff',
    '../../etc/passwd',
    "' OR 1=1 --",
    '__proto__',
    'constructor',
    'toString',
    '[FILTERED]',
    'x'.repeat(3_000),
    'ü'.repeat(3_000),
  ),
);

/** Of RFC 3339 and of what looks like it. */
export const oddInstant = fc.constantFrom(
  '0000-01-01T00:00:00Z',
  '0000-01-01T00:00:00+23:59',
  '0001-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59+14:00',
  '9999-12-31T23:59:59-14:00',
  '+010000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '2016-12-31T23:59:60Z',
  '2026-02-29T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-11-20T24:00:00Z',
  '2026-11-20T12:00Z',
  '2026-11-20T12:00:00',
  '2026-11-20t12:00:00z',
  '2026-11-20 12:00:00Z',
  '2026-11-20',
  `2026-11-20T12:00:00.${'1'.repeat(60)}Z`,
  '2026-11-20T12:00:00-00:00',
  '2026-11-20T12:00:00+99:99',
  '1795262400',
);

/** Addresses nobody listens at; `hooks.example.com` is one that may be saved. */
export const oddUrl = fc.oneof(
  fc.constantFrom(
    'https://hooks.example.com/ü?q=ü',
    'https://hooks.example.com/%zz%',
    'https://hooks.example.com/\ud800',
    'https://hooks.example.com/"\'<>',
    'https://hooks.example.com:443',
    'https://hooks.example.com:99999/',
    'https://hooks.example.com/#',
    'https://user@hooks.example.com/',
    'https://inside.example.com/',
    'HTTPS://HOOKS.EXAMPLE.COM/',
    'https://10.0.0.1/',
    'https://[::ffff:10.0.0.1]/',
    'https://[::1',
    'https://a..b/',
    'https://xn--/',
    'https://-/',
    `https://${'a'.repeat(64)}.invalid/`,
    `https://${'a.'.repeat(140)}invalid/`,
    `https://hooks.example.com/${'x'.repeat(2_022)}`,
    `https://hooks.example.com/${'x'.repeat(2_023)}`,
    'https:hooks.example.com',
    'https:///hooks.example.com',
    'http://hooks.example.com/',
    'javascript:alert(1)',
    '//hooks.example.com/',
  ),
  anyText.map((text) => `https://hooks.example.com/${text}`),
);
