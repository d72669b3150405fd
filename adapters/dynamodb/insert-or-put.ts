import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { asError } from '../gathered-calls.ts';
import { executeInBatches } from './statement-batches.ts';

/** An item of a table with this key. */
interface Keyed {
  readonly partition: string;
  readonly entry: string;
}

/** Why an item was not inserted: there is one of its key, or for another reason. */
export type NotInserted = 'exists' | 'failed';

/**
 * Puts items where there is none, in no particular order and in as few calls as possible. `putAlone`
 * puts those that were not inserted, each by a call of its own, and a single item. Resolves to the
 * fault of each item, `undefined` where there was none. Rejects when a call as a whole fails, except
 * because of what is in it.
 */
export const insertOrPut = async <Item extends Keyed>(
  client: DynamoDBDocumentClient,
  table: string,
  items: readonly Item[],
  putAlone: (item: Item, because: NotInserted) => Promise<void>,
): Promise<readonly (Error | undefined)[]> => {
  // A call takes each key once: of several items of a key, the last is inserted.
  const distinct = new Map(items.map((item) => [nameOf(item), item]));
  const insertions =
    items.length > 1 ? await insertAll(client, table, [...distinct.values()]) : new Map();
  const put = (item: Item): Promise<void> => {
    const insertion = insertions.get(nameOf(item)) ?? 'failed';
    if (insertion !== 'inserted') return putAlone(item, insertion);
    const isInserted = distinct.get(nameOf(item)) === item;
    return isInserted ? Promise.resolve() : putAlone(item, 'exists');
  };
  const results = await Promise.allSettled(items.map(put));
  return results.map((result) => ('reason' in result ? asError(result.reason) : undefined));
};

/** By the names of the items. */
type Insertions = ReadonlyMap<string, 'inserted' | NotInserted>;

const insertAll = async (
  client: DynamoDBDocumentClient,
  table: string,
  items: readonly Keyed[],
): Promise<Insertions> => {
  try {
    const results = await executeInBatches(
      client,
      items.map((item) => statementOf(table, item)),
    );
    return new Map(
      items.map((item, index) => [nameOf(item), insertionOf(results[index]?.code)] as const),
    );
  } catch (fault) {
    // One item that DynamoDB does not understand must not keep the others out.
    if (fault instanceof DynamoDBServiceException && REFUSALS.has(fault.name)) return new Map();
    throw fault;
  }
};

const insertionOf = (code: string | undefined): 'inserted' | NotInserted => {
  if (code === undefined) return 'inserted';
  return code === 'DuplicateItem' ? 'exists' : 'failed';
};

const REFUSALS: ReadonlySet<string> = new Set(['ValidationException', 'SerializationException']);

const statementOf = (table: string, item: object) => {
  const attributes = Object.entries(item).filter(([, value]) => value !== undefined);
  const values = attributes.map(([name]) => `'${name}': ?`);
  return {
    Statement: `INSERT INTO "${table}" VALUE {${values.join(', ')}}`,
    Parameters: attributes.map(([, value]) => value),
  };
};

const nameOf = ({ partition, entry }: Keyed): string => `${partition} ${entry}`;
