import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
} from '@aws-sdk/lib-dynamodb';

/** What a conditional write answered; undefined when its condition did not hold. */
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

/** An item to put, or the key of one to delete. */
type Write =
  | { readonly put: Readonly<Record<string, unknown>> }
  | { readonly remove: Readonly<Record<string, unknown>> };

/** DynamoDB takes 25, and 16 MB: ten of the largest items are less than that, however escaped. */
const MAX_WRITES = 10;

/**
 * Writes items of different keys, in no order. The writes that a batch leaves undone are made one
 * by one: for single requests the client knows how to wait.
 */
export const batchWrite = async (
  client: DynamoDBDocumentClient,
  table: string,
  writes: readonly Write[],
): Promise<void> => {
  const batches = Array.from({ length: Math.ceil(writes.length / MAX_WRITES) }, (_, index) =>
    writes.slice(index * MAX_WRITES, (index + 1) * MAX_WRITES),
  );
  await Promise.all(
    batches.map(async (batch) => {
      const { UnprocessedItems } = await client.send(
        new BatchWriteCommand({ RequestItems: { [table]: batch.map(requestOf) } }),
      );
      const undone = UnprocessedItems?.[table] ?? [];
      await Promise.all(undone.map((request) => writeOne(client, table, request)));
    }),
  );
};

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
  TableName: string,
  { PutRequest, DeleteRequest }: WriteRequest,
): Promise<void> => {
  if (PutRequest) await client.send(new PutCommand({ TableName, Item: PutRequest.Item }));
  if (DeleteRequest) await client.send(new DeleteCommand({ TableName, Key: DeleteRequest.Key }));
};
