import { expect, it } from 'vitest';
import { everyPage } from '../../../core/directory/account.ts';

it('Every page of a list is read, each after the one before', async () => {
  const pages = new Map([
    [undefined, { names: ['a'], next: 'a' }],
    ['a', { names: ['b'], next: 'b' }],
    ['b', { names: ['c'] }],
  ]);
  const read = await everyPage(async ({ after }) => pages.get(after) ?? { names: ['unknown'] });
  expect(read.flatMap(({ names }) => names)).toEqual(['a', 'b', 'c']);
});
