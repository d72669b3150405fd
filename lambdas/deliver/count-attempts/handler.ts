import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import type { CountAttempts } from '../../../core/delivery/statistics/count-attempts.ts';
import { faultField } from '../../runtime/reporting.ts';
import { type ReadRecordDeps, readRecord } from './read-record.ts';

interface Deps extends ReadRecordDeps {
  readonly countAttempts: CountAttempts;
}

/** Only an event source mapping with tumbling windows tells the shard. */
interface WindowEvent extends DynamoDBStreamEvent {
  readonly shardId: string;
}

/** Windows are for `shardId` alone: nothing is kept from one batch to the next. */
interface WindowResponse extends DynamoDBBatchResponse {
  readonly state: object;
}

/**
 * Counts the attempts that a batch of the delivery log's changes adds. Lambda hands out again what
 * is reported, and all that came after it: what was counted is not counted again.
 */
export const createHandler =
  (deps: Deps) =>
  async ({ shardId, Records }: WindowEvent): Promise<WindowResponse> => {
    const records = await Promise.all(Records.map((record) => readRecord(record, deps)));
    const attempts = records.flatMap(({ attempt }) => attempt ?? []);
    const uncounted = await deps.countAttempts(shardId, attempts);
    const [first] = uncounted;
    if (first === undefined) {
      deps.logger.info('attempts.counted', { shardId, attempts: attempts.length });
    } else {
      const hours = uncounted.length;
      deps.logger.error('attempts.not_counted', { shardId, hours, ...faultField(first.fault) });
    }
    const positions = new Set(uncounted.map(({ position }) => position));
    const failed = records.find(
      ({ attempt, isFailed }) => isFailed || (attempt && positions.has(attempt.position)),
    );
    return {
      state: {},
      batchItemFailures: failed ? [{ itemIdentifier: failed.sequenceNumber }] : [],
    };
  };
