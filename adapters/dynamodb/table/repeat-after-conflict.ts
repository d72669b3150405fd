import {
  type DynamoDBClient,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';

/** The SDK does not repeat what met another transaction on the same item. This client does. */
export const repeatingAfterConflict = (client: DynamoDBClient): DynamoDBClient => {
  client.middlewareStack.add(
    (next) => async (call) => {
      try {
        return await next(call);
      } catch (fault) {
        throw isConflict(fault) ? Object.assign(fault, { $retryable: {} }) : fault;
      }
    },
    // Outside of the middleware that reads the answer, inside of the one that repeats the call.
    { name: 'repeatAfterConflict', step: 'deserialize', priority: 'high', override: true },
  );
  return client;
};

const isConflict = (fault: unknown): fault is Error =>
  fault instanceof TransactionConflictException ||
  (fault instanceof TransactionCanceledException &&
    fault.CancellationReasons?.some(({ Code }) => Code === 'TransactionConflict') === true);
