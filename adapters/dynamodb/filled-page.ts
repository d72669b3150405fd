/** A page as DynamoDB reads it: what was found on it, and the sort key up to which it was read. */
export interface ReadPage<Item> {
  readonly items: readonly Item[];
  /** Absent at the end. */
  readonly readTo?: string | undefined;
}

interface PageWishes<Item> {
  readonly limit: number;
  /** However little they find: what filters leave out is read, too. */
  readonly maxReads: number;
  readonly after?: string | undefined;
  readonly sortKeyOf: (item: Item) => string;
}

/**
 * Reads on until `limit` items are found or `maxReads` pages are read; `read` is told how many were
 * before. `next` is the sort key after which the rest begins; absent at the end.
 */
export const fillPage = async <Item>(
  read: (after: string | undefined, reads: number) => Promise<ReadPage<Item>>,
  { limit, maxReads, after, sortKeyOf }: PageWishes<Item>,
): Promise<{ items: readonly Item[]; next?: string | undefined }> => {
  const found: Item[] = [];
  let readTo = after;
  for (let reads = 0; reads < maxReads; reads += 1) {
    const page = await read(readTo, reads);
    found.push(...page.items);
    const last = found[limit - 1];
    if (last !== undefined && found.length > limit) {
      return { items: found.slice(0, limit), next: sortKeyOf(last) };
    }
    readTo = page.readTo;
    if (readTo === undefined || found.length === limit) break;
  }
  return { items: found, next: readTo };
};
