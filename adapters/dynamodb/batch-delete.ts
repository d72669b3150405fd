import {
  BatchExecuteStatementCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';
import { ofVersion } from './dynamodb-body-pieces.ts';
import { ifConditionHolds } from './writes.ts';

/** An item to delete, unless its attribute `version` has another value by then. */
interface Deletion {
  readonly key: Readonly<Record<string, string>>;
  readonly version: string;
}

/** DynamoDB takes so many statements in a call. */
const MAX_STATEMENTS = 25;

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
  const batches = Array.from({ length: Math.ceil(deletions.length / MAX_STATEMENTS) }, (_, index) =>
    deletions.slice(index * MAX_STATEMENTS, (index + 1) * MAX_STATEMENTS),
  );
  await Promise.all(
    batches.map(async (batch) => {
      const { Responses = [] } = await client.send(
        new BatchExecuteStatementCommand({
          Statements: batch.map((deletion) => statementOf(table, deletion)),
        }),
      );
      const undone = batch.filter((_, index) => !isDone(Responses[index]));
      await Promise.all(undone.map((deletion) => deleteOne(client, table, deletion)));
    }),
  );
};

const statementOf = (table: string, { key, version }: Deletion) => {
  const attributes = { ...key, version };
  const conditions = Object.keys(attributes).map((name) => `"${name}" = ?`);
  return {
    Statement: `DELETE FROM "${table}" WHERE ${conditions.join(' AND ')}`,
    Parameters: Object.values(attributes),
  };
};

/** The response to a statement has the statement's error. An item that is not there is no error. */
const isDone = (response: { readonly Error?: { readonly Code?: string } } | undefined): boolean =>
  response !== undefined &&
  (response.Error === undefined || response.Error.Code === 'ConditionalCheckFailed');

const deleteOne = async (
  client: DynamoDBDocumentClient,
  table: string,
  { key, version }: Deletion,
): Promise<void> => {
  const remove = new DeleteCommand({ TableName: table, Key: key, ...ofVersion(version) });
  await ifConditionHolds(client.send(remove));
};
