import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';

/**
 * Only an event source mapping with tumbling windows sends the shard. The last call of a window may
 * have no records.
 */
export interface WindowEvent extends Partial<DynamoDBStreamEvent> {
  readonly shardId: string;
}

/** The function uses windows for `shardId` alone, and keeps nothing from one batch to the next. */
export interface WindowResponse extends DynamoDBBatchResponse {
  readonly state: object;
}
