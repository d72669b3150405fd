import type { ReadPage } from './filled-page.ts';

export type Order = 'oldest first' | 'newest first';

/**
 * Merges pages of several partitions, each in the order of its sort keys, into one page in that
 * order. Ends where the first of the partitions was not read any further.
 */
export const mergedPage = <Item>(
  pages: readonly ReadPage<Item>[],
  sortKeyOf: (item: Item) => string,
  order: Order = 'oldest first',
): ReadPage<Item> => {
  const compare =
    order === 'oldest first' ? byText : (one: string, other: string) => byText(other, one);
  const [readTo] = pages
    .flatMap(({ readTo }) => (readTo === undefined ? [] : [readTo]))
    .toSorted(compare);
  const items = pages
    .flatMap(({ items }) => items)
    .filter((item) => readTo === undefined || compare(sortKeyOf(item), readTo) <= 0)
    .toSorted((one, other) => compare(sortKeyOf(one), sortKeyOf(other)));
  return { items, readTo };
};

const byText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
