import { BatchExecuteStatementCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

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
