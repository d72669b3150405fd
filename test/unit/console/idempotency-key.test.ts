import { expect, it } from 'vitest';
import { createKeyring } from '../../../console/src/api/idempotency-key.ts';

const numbered = () => {
  let made = 0;
  return createKeyring(() => {
    made += 1;
    return `key-${made}`;
  });
};

it('gives the same body the same key, so that a second click makes nothing', () => {
  const keyFor = numbered();
  const keys = [keyFor({ baseUrl: 'https://a' }), keyFor({ baseUrl: 'https://a' })];
  expect(keys).toEqual(['key-1', 'key-1']);
});

it('gives another body another key, which the service takes', () => {
  const keyFor = numbered();
  const keys = [keyFor({ baseUrl: 'https://a' }), keyFor({ baseUrl: 'https://b' })];
  expect(keys).toEqual(['key-1', 'key-2']);
});
