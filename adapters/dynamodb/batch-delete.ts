import { DeleteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { executeInBatches, ifConditionHolds, ofVersion } from './writes.ts';

/** An item to delete, unless its attribute `version` has another value by then. */
interface Deletion {
  readonly key: Readonly<Record<string, string>>;
  readonly version: string;
}

/**
 * Deletes items that still have their version, in no particular order. `BatchWriteItem` knows no
 * conditions, and a transaction takes twice the write units: so the batches are of PartiQL. What
 * fails for another reason than its condition is deleted by a call of its own, because the client
 * waits and repeats single requests that are throttled.
 */
export const batchDelete = async (
  client: DynamoDBDocumentClient,
  table: string,
  deletions: readonly Deletion[],
): Promise<void> => {
  const results = await executeInBatches(
    client,
    deletions.map((deletion) => statementOf(table, deletion)),
  );
  const undone = deletions.filter((_, index) => !DONE.has(results[index]?.code));
  await Promise.all(undone.map((deletion) => deleteOne(client, table, deletion)));
};

/** An item that is not there is no error. */
const DONE: ReadonlySet<string | undefined> = new Set([undefined, 'ConditionalCheckFailed']);

const statementOf = (table: string, { key, version }: Deletion) => {
  const attributes = { ...key, version };
  const conditions = Object.keys(attributes).map((name) => `"${name}" = ?`);
  return {
    Statement: `DELETE FROM "${table}" WHERE ${conditions.join(' AND ')}`,
    Parameters: Object.values(attributes),
  };
};

const deleteOne = async (
  client: DynamoDBDocumentClient,
  table: string,
  { key, version }: Deletion,
): Promise<void> => {
  const remove = new DeleteCommand({ TableName: table, Key: key, ...ofVersion(version) });
  await ifConditionHolds(client.send(remove));
};
