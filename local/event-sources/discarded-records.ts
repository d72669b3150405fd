import { randomUUID } from 'node:crypto';
import type { StreamedChange } from '../aws/change-stream.ts';
import { SHARD_ID } from './stream-event.ts';

/** What Lambda sends to the destination of failures for records that it discards. */
export const discardedRecords = (
  changes: readonly StreamedChange[],
  given: { condition: string; streamArn: string; functionArn: string },
) => {
  const { condition, streamArn, functionArn } = given;
  const [first, last] = [changes[0], changes.at(-1)];
  return {
    requestContext: { requestId: randomUUID(), functionArn, condition, approximateInvokeCount: 1 },
    version: '1.0',
    timestamp: new Date().toISOString(),
    DDBStreamBatchInfo: {
      shardId: SHARD_ID,
      startSequenceNumber: first?.sequenceNumber,
      endSequenceNumber: last?.sequenceNumber,
      approximateArrivalOfFirstRecord: new Date(first?.at ?? 0).toISOString(),
      approximateArrivalOfLastRecord: new Date(last?.at ?? 0).toISOString(),
      batchSize: changes.length,
      streamArn,
    },
  };
};
