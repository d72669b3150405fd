import { describe, expect, it } from 'vitest';
import { readOnce } from '../../../../lambdas/deliver/runtime/read-once.ts';

describe('a read that happens once', () => {
  const recordingRead = () => {
    const keys: string[][] = [];
    const read = readOnce(async (...key: readonly [string, string]) => {
      keys.push([...key]);
      return key.join('/');
    });
    return { read, keys };
  };

  it('is shared by all who ask for its key, side by side and later', async () => {
    const { read, keys } = recordingRead();
    const answers = await Promise.all([read('a', 'b'), read('a', 'b')]);
    expect([...answers, await read('a', 'b')]).toEqual(['a/b', 'a/b', 'a/b']);
    expect(keys).toEqual([['a', 'b']]);
  });

  it('is told apart from others, however their keys join', async () => {
    const { read, keys } = recordingRead();
    await Promise.all([read('a', 'b'), read('a","b', ''), read('ab', ''), read('', 'ab')]);
    expect(keys).toHaveLength(4);
  });

  it('fails for all who asked for it, and for no other key', async () => {
    const read = readOnce(async (key: string) => {
      if (key === 'bad') throw new Error('throttled');
      return key;
    });
    const settled = await Promise.allSettled([read('bad'), read('bad'), read('good')]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });
});
