import { expect, it } from 'vitest';
import { createKeyring } from '../../../console/src/api/idempotency-key.ts';

it('gives the same body the same key and another body another key, so that a second click creates nothing', () => {
  let made = 0;
  const keyFor = createKeyring(() => {
    made += 1;
    return `key-${made}`;
  });
  const keys = ['https://a', 'https://a', 'https://b'].map((baseUrl) => keyFor({ baseUrl }));
  expect(keys).toEqual(['key-1', 'key-1', 'key-2']);
});
