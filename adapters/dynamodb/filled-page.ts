/** The result of one read: the items found, and the sort key up to which DynamoDB has read. */
export interface ReadPage<Item> {
  readonly items: readonly Item[];
  /** Absent at the end of the partition. */
  readonly readTo?: string | undefined;
}

interface FillOptions<Item> {
  readonly limit: number;
  /** Limits the cost: items that filters leave out are read, too. */
  readonly maxReads: number;
  readonly after?: string | undefined;
  readonly sortKeyOf: (item: Item) => string;
}

/**
 * Reads until `limit` items are found or `maxReads` reads are made. `read` gets the sort key after
 * which to read and the number of reads before. `next` is the sort key after which the next page
 * begins; absent at the end.
 */
export const fillPage = async <Item>(
  read: (after: string | undefined, reads: number) => Promise<ReadPage<Item>>,
  { limit, maxReads, after, sortKeyOf }: FillOptions<Item>,
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
