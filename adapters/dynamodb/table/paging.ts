import type { Order, PartitionedKey, ReadPage } from './stored-deliveries.ts';

type Sorted = Pick<PartitionedKey, 'entry'>;

interface FillOptions {
  readonly limit: number;
  /** Limits the cost: items that filters leave out are read, too. */
  readonly maxReads: number;
  readonly after?: string | undefined;
}

/**
 * Reads until `limit` items are found or `maxReads` reads are made. `read` gets the sort key after
 * which to read and the number of reads before. The next page begins after `next`, if any.
 */
export const fillPage = async <Item extends Sorted>(
  read: (after: string | undefined, reads: number) => Promise<ReadPage<Item>>,
  { limit, maxReads, after }: FillOptions,
): Promise<{ items: readonly Item[]; next?: string | undefined }> => {
  const found: Item[] = [];
  let readTo = after;
  for (let reads = 0; reads < maxReads; reads += 1) {
    const page = await read(readTo, reads);
    found.push(...page.items);
    const last = found[limit - 1];
    if (last !== undefined && found.length > limit) {
      return { items: found.slice(0, limit), next: last.entry };
    }
    readTo = page.readTo;
    if (readTo === undefined || found.length === limit) break;
  }
  return { items: found, next: readTo };
};

/** Merges pages of several partitions by their sort keys. Ends where one was not read on. */
export const mergedPage = <Item extends Sorted>(
  pages: readonly ReadPage<Item>[],
  order: Order = 'oldest first',
): ReadPage<Item> => {
  const compare =
    order === 'oldest first' ? byText : (one: string, other: string) => byText(other, one);
  const [readTo] = pages
    .flatMap(({ readTo }) => (readTo === undefined ? [] : [readTo]))
    .toSorted(compare);
  const items = pages
    .flatMap(({ items }) => items)
    .filter((item) => readTo === undefined || compare(item.entry, readTo) <= 0)
    .toSorted((one, other) => compare(one.entry, other.entry));
  return { items, readTo };
};

const byText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

interface MergedReadOptions {
  readonly limit: number;
  /** A partition of which fewer items are left is read on before the next page. */
  readonly least: number;
}

export async function* mergedReads<Item extends Sorted>(
  partitions: readonly string[],
  read: (partition: string, after: string | undefined) => Promise<ReadPage<Item>>,
  { limit, least }: MergedReadOptions,
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
    const page = mergedPage(reads).items.slice(0, limit);
    const last = page.at(-1);
    if (last !== undefined) {
      yield page;
      const isLeft = ({ entry }: Item) => entry > last.entry;
      reads = reads.map((one) => ({ ...one, items: one.items.filter(isLeft) }));
    } else if (reads.every(({ isAtEnd }) => isAtEnd)) return;
  }
}

/** The items of a partition that were read and are in no page yet. */
interface PartitionRead<Item> extends ReadPage<Item> {
  readonly partition: string;
  readonly isAtEnd: boolean;
}
