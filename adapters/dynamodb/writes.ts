import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchExecuteStatementCommand,
  BatchWriteCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
} from '@aws-sdk/lib-dynamodb';
import { asError } from '../gathered-calls.ts';

/** The output of a conditional write; undefined when its condition was not met. */
export const ifConditionHolds = async <Output>(
  write: Promise<Output>,
): Promise<Output | undefined> => {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
};

/** The condition of a write that an item has a version. */
export interface VersionCondition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeValues: Readonly<Record<':version', string>>;
}

export const ofVersion = (version: string): VersionCondition => ({
  ConditionExpression: 'version = :version',
  ExpressionAttributeValues: { ':version': version },
});

/** An item to put, or the key of an item to delete. */
type Write =
  | { readonly put: Readonly<Record<string, unknown>> }
  | { readonly remove: Readonly<Record<string, unknown>> };

/** DynamoDB takes 25 writes and 16 MB; 25 items of 400 KiB have 14 MB, as base64. */
const MAX_WRITES = 25;

/**
 * Writes items of different keys, in no particular order. Writes that a batch leaves undone are
 * made one by one, because the client waits and repeats single requests that are throttled. After
 * `abortSignal` no request is sent or repeated.
 */
export const batchWrite = async (
  client: DynamoDBDocumentClient,
  table: string,
  writes: readonly Write[],
  options: SendOptions = {},
): Promise<void> => {
  const batches = Array.from({ length: Math.ceil(writes.length / MAX_WRITES) }, (_, index) =>
    writes.slice(index * MAX_WRITES, (index + 1) * MAX_WRITES),
  );
  await Promise.all(
    batches.map(async (batch) => {
      const { UnprocessedItems } = await client.send(
        new BatchWriteCommand({ RequestItems: { [table]: batch.map(requestOf) } }),
        options,
      );
      const undone = UnprocessedItems?.[table] ?? [];
      await Promise.all(undone.map((request) => writeOne(client, { table, request, options })));
    }),
  );
};

interface SendOptions {
  readonly abortSignal?: AbortSignal;
}

interface WriteRequest {
  PutRequest?: { Item: Record<string, unknown> | undefined };
  DeleteRequest?: { Key: Record<string, unknown> | undefined };
}

const requestOf = (write: Write): WriteRequest =>
  'put' in write
    ? { PutRequest: { Item: { ...write.put } } }
    : { DeleteRequest: { Key: { ...write.remove } } };

const writeOne = async (
  client: DynamoDBDocumentClient,
  { table, request, options }: { table: string; request: WriteRequest; options: SendOptions },
): Promise<void> => {
  const { PutRequest, DeleteRequest } = request;
  const TableName = table;
  if (PutRequest) await client.send(new PutCommand({ TableName, ...PutRequest }), options);
  if (DeleteRequest) await client.send(new DeleteCommand({ TableName, ...DeleteRequest }), options);
};

/** A statement of PartiQL, with a parameter for each `?`. */
interface Statement {
  readonly Statement: string;
  readonly Parameters: readonly unknown[];
}

/** What became of a statement: the code of its error, `undefined` if there was none. */
export type StatementResult = { readonly code: string | undefined };

/** DynamoDB takes so many statements in a call. */
const MAX_STATEMENTS = 25;

/**
 * Executes statements that name different items, in no particular order and in as few calls as
 * possible. Resolves to what became of each, in their order. Rejects when a call as a whole fails;
 * other calls may have been made.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchStatementError.html
 */
export const executeInBatches = async (
  client: DynamoDBDocumentClient,
  statements: readonly Statement[],
): Promise<readonly StatementResult[]> => {
  const batches = Array.from(
    { length: Math.ceil(statements.length / MAX_STATEMENTS) },
    (_, index) => statements.slice(index * MAX_STATEMENTS, (index + 1) * MAX_STATEMENTS),
  );
  const results = await Promise.all(batches.map((batch) => executeBatch(client, batch)));
  return results.flat();
};

const executeBatch = async (
  client: DynamoDBDocumentClient,
  batch: readonly Statement[],
): Promise<StatementResult[]> => {
  const { Responses = [] } = await client.send(
    new BatchExecuteStatementCommand({
      Statements: batch.map(({ Statement, Parameters }) => ({
        Statement,
        Parameters: [...Parameters],
      })),
    }),
  );
  return batch.map((_, index) => resultOf(Responses[index]));
};

const resultOf = (
  response: { readonly Error?: { readonly Code?: string } } | undefined,
): StatementResult => {
  if (response === undefined) return { code: 'NoResponse' };
  const { Error: error } = response;
  return { code: error && (error.Code ?? 'NoCode') };
};

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
