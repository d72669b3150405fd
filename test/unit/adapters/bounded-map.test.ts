import { describe, expect, it } from 'vitest';
import { BoundedMap } from '../../../adapters/crypto/key-pair-opener.ts';

describe('a bounded map', () => {
  it('keeps so many entries, the latest', () => {
    const map = new BoundedMap<number>(2);
    for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index);

    expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([undefined, 1, 2]);
  });

  it('lets none go when a key is set again', () => {
    const map = new BoundedMap<number>(2);
    for (const key of ['a', 'b', 'b']) map.set(key, 1);

    expect(map.get('a')).toBe(1);
  });
});
