import { describe, expect, it } from 'vitest';
import { returnPath } from '../../../packages/console/src/session/return-path.ts';

const ORIGIN = 'https://console.example.com';

describe('the address after a sign-in', () => {
  it.each([
    ['/accounts/acme?tab=log#top', '/accounts/acme?tab=log#top'],
    ['//event-types', '/event-types'],
    ['///attacker.example/x', '/attacker.example/x'],
    ['/\\attacker.example', '/attacker.example'],
    ['https://attacker.example', '/https://attacker.example'],
    ['', '/'],
    [undefined, '/'],
  ])('is a page of the console: %s', (state, path) => {
    expect(returnPath(state)).toBe(path);
    expect(new URL(path, ORIGIN).href).toBe(`${ORIGIN}${path}`);
  });
});
