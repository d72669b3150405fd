import type { ReadPage } from './filled-page.ts';
import { mergedPage } from './merged-page.ts';

interface MergedReadOptions<Item> {
  readonly sortKeyOf: (item: Item) => string;
  /** Of a page. */
  readonly limit: number;
  /** A partition of which fewer items are left is read on before the next page. */
  readonly least: number;
}

/**
 * Reads several partitions, each in the order of its sort keys, as pages in that order. Each item is
 * read once. `read` gets the sort key after which to read.
 */
export async function* mergedReads<Item>(
  partitions: readonly string[],
  read: (partition: string, after: string | undefined) => Promise<ReadPage<Item>>,
  { sortKeyOf, limit, least }: MergedReadOptions<Item>,
): AsyncGenerator<readonly Item[], undefined> {
  const readOn = async (one: PartitionRead<Item>): Promise<PartitionRead<Item>> => {
    if (one.isAtEnd || one.items.length >= least) return one;
    const { items, readTo } = await read(one.partition, one.readTo);
    return { ...one, items: [...one.items, ...items], readTo, isAtEnd: readTo === undefined };
  };
  let reads = partitions.map(
    (partition): PartitionRead<Item> => ({ partition, items: [], isAtEnd: false }),
  );
  for (;;) {
    reads = await Promise.all(reads.map(readOn));
    const page = mergedPage(reads, sortKeyOf).items.slice(0, limit);
    const last = page.at(-1);
    if (last !== undefined) {
      yield page;
      const isLeft = (item: Item) => sortKeyOf(item) > sortKeyOf(last);
      reads = reads.map((one) => ({ ...one, items: one.items.filter(isLeft) }));
    } else if (reads.every(({ isAtEnd }) => isAtEnd)) return;
  }
}

/** What was read of a partition and is in no page yet. */
interface PartitionRead<Item> extends ReadPage<Item> {
  readonly partition: string;
  readonly isAtEnd: boolean;
}
