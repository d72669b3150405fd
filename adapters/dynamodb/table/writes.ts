import { randomUUID } from 'node:crypto';
import { DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  BatchExecuteStatementCommand,
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { inChunks } from '../../../core/in-chunks.ts';
import { asError } from '../../gathered-calls.ts';
import type { PartitionedKey } from './stored-deliveries.ts';
import type { DynamoDbTable, SendOptions } from './table.ts';

/** DynamoDB's limit for batches of writes and of statements. */
const MAX_BATCH = 25;

type WriteRequest = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

/**
 * Puts and deletes items of different keys. Writes that a batch leaves undone are made one by one,
 * because the client repeats only single requests. Sends nothing after `abortSignal`.
 */
export const batchWrite = async (
  table: DynamoDbTable,
  writes: readonly WriteRequest[],
  options?: SendOptions,
): Promise<void> => {
  const writeOne = async ({ PutRequest, DeleteRequest }: WriteRequest): Promise<void> => {
    if (PutRequest) await table.putItem(PutRequest, options);
    if (DeleteRequest) await table.deleteItem(DeleteRequest, options);
  };
  const writeBatch = async (batch: WriteRequest[]): Promise<void> => {
    const write = new BatchWriteCommand({ RequestItems: { [table.table]: batch } });
    const { UnprocessedItems } = await table.client.send(write, options);
    await Promise.all((UnprocessedItems?.[table.table] ?? []).map(writeOne));
  };
  await Promise.all(inChunks(writes, MAX_BATCH).map(writeBatch));
};

export type TransactionPart = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Of the client's tries: transactions of an item that begin at once, up to about twenty, are all made. */
const ROUNDS = 3;

/**
 * Makes all writes or none, for twice the write units. Resolves to the index of the first whose
 * condition is not met, or undefined. The client repeats what meets another transaction or is
 * throttled. Its three tries are too few where many meet, as the creations of an account do.
 */
export const writeTogether = async (
  client: DynamoDBDocumentClient,
  parts: readonly TransactionPart[],
): Promise<number | undefined> => {
  const write = { TransactItems: [...parts], ClientRequestToken: randomUUID() };
  for (let round = 1; ; round += 1) {
    try {
      await client.send(new TransactWriteCommand(write));
      return undefined;
    } catch (fault) {
      const reasons =
        fault instanceof TransactionCanceledException ? (fault.CancellationReasons ?? []) : [];
      const codes = reasons.map(({ Code }) => Code);
      const unmet = codes.indexOf('ConditionalCheckFailed');
      if (unmet >= 0) return unmet;
      if (round === ROUNDS || !codes.includes('TransactionConflict')) throw fault;
    }
  }
};

export interface Statement {
  readonly Statement: string;
  readonly Parameters: unknown[];
}

/**
 * Executes statements on different items, in as few calls as possible: `BatchWriteItem` takes no
 * conditions, and a transaction takes twice the write units. Resolves to each error code, or
 * undefined. Rejects when a whole call fails; others may have been made.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchStatementError.html
 */
export const executeInBatches = async (
  { client }: DynamoDbTable,
  statements: readonly Statement[],
  options?: SendOptions,
): Promise<readonly (string | undefined)[]> => {
  const codes = inChunks(statements, MAX_BATCH).map(async (Statements) => {
    const execute = new BatchExecuteStatementCommand({ Statements });
    const { Responses = [] } = await client.send(execute, options);
    return Statements.map((_, index) => {
      const response = Responses[index];
      if (response === undefined) return 'NoResponse';
      return response.Error && (response.Error.Code ?? 'NoCode');
    });
  });
  return (await Promise.all(codes)).flat();
};

/** Why an item was not inserted: there is an item with its key, or for another reason. */
export type NotInserted = 'exists' | 'failed';

/**
 * Puts items whose key no item has, in as few calls as possible. A single item, and each that was
 * not inserted, goes to `putAlone`. Resolves to the fault of each item, or undefined. Rejects when
 * a whole call fails for another reason than its content.
 */
export const insertOrPut = async <Item extends PartitionedKey>(
  table: DynamoDbTable,
  items: readonly Item[],
  putAlone: (item: Item, because: NotInserted) => Promise<void>,
  options?: SendOptions,
): Promise<readonly (Error | undefined)[]> => {
  // A call takes each key once: of several items of a key, the last is inserted.
  const distinct = new Map(items.map((item) => [keyOf(item), item]));
  const insertions =
    items.length > 1 ? await insertAll(table, [...distinct.values()], options) : new Map();
  const put = async (item: Item): Promise<void> => {
    const insertion = insertions.get(keyOf(item)) ?? 'failed';
    if (insertion !== 'inserted') await putAlone(item, insertion);
    else if (distinct.get(keyOf(item)) !== item) await putAlone(item, 'exists');
  };
  const results = await Promise.allSettled(items.map(put));
  return results.map((result) => ('reason' in result ? asError(result.reason) : undefined));
};

type Insertions = ReadonlyMap<string, 'inserted' | NotInserted>;

const insertAll = async (
  table: DynamoDbTable,
  items: readonly PartitionedKey[],
  options?: SendOptions,
): Promise<Insertions> => {
  try {
    const codes = await executeInBatches(table, items.map(insertInto(table)), options);
    return new Map(items.map((item, index) => [keyOf(item), insertionOf(codes[index])] as const));
  } catch (fault) {
    // One item that DynamoDB does not accept must not keep the others out.
    if (fault instanceof DynamoDBServiceException && REFUSALS.has(fault.name)) return new Map();
    throw fault;
  }
};

const insertionOf = (code: string | undefined): 'inserted' | NotInserted => {
  if (code === undefined) return 'inserted';
  return code === 'DuplicateItem' ? 'exists' : 'failed';
};

const REFUSALS: ReadonlySet<string> = new Set(['ValidationException', 'SerializationException']);

export const insertInto =
  ({ table }: DynamoDbTable) =>
  (item: object): Statement => {
    const attributes = Object.entries(item).filter(([, value]) => value !== undefined);
    const values = attributes.map(([name]) => `'${name}': ?`);
    return {
      Statement: `INSERT INTO "${table}" VALUE {${values.join(', ')}}`,
      Parameters: attributes.map(([, value]) => value),
    };
  };

export const keyOf = ({ partition, entry }: PartitionedKey): string => `${partition} ${entry}`;
