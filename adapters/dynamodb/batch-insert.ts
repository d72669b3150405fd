import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { executeInBatches } from './statement-batches.ts';

/**
 * Puts items of different keys where there is none, in no particular order and in as few calls as
 * possible. Resolves to the items that were not put: there is an item already, or the statement
 * failed for another reason, which a call of its own tells. Rejects when a call as a whole fails,
 * except because of what is in it.
 */
export const batchInsert = async <Inserted extends object>(
  client: DynamoDBDocumentClient,
  table: string,
  items: readonly Inserted[],
): Promise<readonly Inserted[]> => {
  try {
    const results = await executeInBatches(
      client,
      items.map((item) => statementOf(table, item)),
    );
    return items.filter((_, index) => results[index]?.code !== undefined);
  } catch (fault) {
    // One item that DynamoDB does not understand must not keep the others out.
    if (fault instanceof DynamoDBServiceException && REFUSALS.has(fault.name)) return items;
    throw fault;
  }
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
