import { describe, expect, it } from 'vitest';
import { isSameSecret } from '../../../core/integration/webhook-secrets.ts';

describe('a secret', () => {
  it.each([
    ['a secret of the tests', 'a secret of the tests', true],
    ['a secret of the tests', 'a secret of the testz', false],
    ['a secret of the tests', 'a secret of the tests ', false],
    ['a secret of the tests', '', false],
    ['', '', true],
  ])('%j is the same as %j: %s', (one, other, same) => {
    expect(isSameSecret(one, other)).toBe(same);
  });
});
