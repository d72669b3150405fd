import { expect, it } from 'vitest';
import { endOf } from '../../../packages/console/src/pages/access-tokens/token-end.ts';

const NOON = '2026-11-20T12:00:00.000Z';
const LATER = '2026-11-20T12:00:00.001Z';

it.each([
  ['in force without an end', {}, undefined],
  ['in force until it expires', { expiresAt: LATER }, undefined],
  ['expired at that time', { expiresAt: NOON }, { how: 'Expired', at: NOON }],
  ['revoked', { revokedAt: NOON, expiresAt: LATER }, { how: 'Revoked', at: NOON }],
])('a token is %s', (_, token, end) => {
  expect(endOf(token, new Date(NOON))).toEqual(end);
});
