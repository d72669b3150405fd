import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
} from '@aws-sdk/lib-dynamodb';

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
