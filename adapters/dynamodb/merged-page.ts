import type { ReadPage } from './filled-page.ts';

/**
 * Merges pages of several partitions, each in the order of its sort keys, into one page in that
 * order. Ends where the first of the partitions was not read any further.
 */
export const mergedPage = <Item>(
  pages: readonly ReadPage<Item>[],
  sortKeyOf: (item: Item) => string,
): ReadPage<Item> => {
  const [readTo] = pages
    .flatMap(({ readTo }) => (readTo === undefined ? [] : [readTo]))
    .toSorted(byText);
  const items = pages
    .flatMap(({ items }) => items)
    .filter((item) => readTo === undefined || sortKeyOf(item) <= readTo)
    .toSorted((one, other) => byText(sortKeyOf(one), sortKeyOf(other)));
  return { items, readTo };
};

const byText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
