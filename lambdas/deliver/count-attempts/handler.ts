import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import type { CountAttempts } from '../../../core/delivery/statistics/count-attempts.ts';
import { faultField } from '../../runtime/reporting.ts';
import { type ReadRecordDeps, readRecord } from './read-record.ts';

interface Deps extends ReadRecordDeps {
  readonly countAttempts: CountAttempts;
}

/** Only an event source mapping with tumbling windows sends the shard. */
interface WindowEvent extends DynamoDBStreamEvent {
  readonly shardId: string;
}

/** The function uses windows for `shardId` alone, and keeps nothing from one batch to the next. */
interface WindowResponse extends DynamoDBBatchResponse {
  readonly state: object;
}

/**
 * Counts the attempts that a batch of the delivery log's changes adds. Lambda sends the reported
 * record and all later ones again; attempts that were counted are not counted again.
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
