import {
  type DynamoDBClient,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';

/**
 * The SDK repeats neither what met another transaction on the same item, nor a transaction of which a
 * part is throttled. This client does.
 */
export const repeatingAfterConflict = (client: DynamoDBClient): DynamoDBClient => {
  client.middlewareStack.add(
    (next) => async (call) => {
      try {
        return await next(call);
      } catch (fault) {
        throw isPassing(fault) ? Object.assign(fault, { $retryable: {} }) : fault;
      }
    },
    // Outside of the middleware that reads the answer, inside of the one that repeats the call.
    { name: 'repeatAfterConflict', step: 'deserialize', priority: 'high', override: true },
  );
  return client;
};

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const PASSING: ReadonlySet<string | undefined> = new Set([
  'TransactionConflict',
  'ProvisionedThroughputExceeded',
  'ThrottlingError',
]);

const isPassing = (fault: unknown): fault is Error =>
  fault instanceof TransactionConflictException ||
  (fault instanceof TransactionCanceledException &&
    fault.CancellationReasons?.some(({ Code }) => PASSING.has(Code)) === true);
