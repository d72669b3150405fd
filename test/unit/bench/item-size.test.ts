import { describe, expect, it } from 'vitest';
import { itemBytes } from '../../../bench/cost/item-size.ts';

describe('the size of an item in DynamoDB', () => {
  it('is that of names and texts in UTF-8', () => {
    expect(itemBytes({ id: { S: 'abc' }, ä: { S: 'é' } })).toBe(2 + 3 + 2 + 2);
  });

  it('counts a byte for two digits of a number, and one byte more', () => {
    expect(itemBytes({ n: { N: '1800000000' } })).toBe(1 + 1 + 1);
    expect(itemBytes({ n: { N: '1234567' } })).toBe(1 + 4 + 1);
    expect(itemBytes({ n: { N: '-0.05' } })).toBe(1 + 1 + 1 + 1);
  });

  it('counts the bytes of a binary value, and not their base64', () => {
    const bytes = Buffer.alloc(300, 1);
    const inJson = { b: { B: bytes.toString('base64') } };
    expect(itemBytes({ b: { B: bytes } })).toBe(1 + 300);
    expect(itemBytes(inJson as never)).toBe(1 + 300);
  });

  it('counts three bytes for a map or a list, and a byte for each element', () => {
    expect(itemBytes({ m: { M: { a: { S: 'x' }, b: { BOOL: true } } } })).toBe(1 + 3 + 3 + 3);
    expect(itemBytes({ l: { L: [{ S: 'x' }, { NULL: true }] } })).toBe(1 + 3 + 2 + 2);
    expect(itemBytes({ m: { M: {} } })).toBe(1 + 3);
  });
});
