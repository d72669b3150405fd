import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import type { DeadLetters } from '../../../core/delivery/delivery-queue.ts';
import type {
  CountAttempts,
  StreamedAttempt,
} from '../../../core/delivery/statistics/count-attempts.ts';
import { faultField, type Logger } from '../../runtime/reporting.ts';
import { firstFailed, readRecords } from '../runtime/stream-records.ts';

interface Deps {
  /** Throws `UnreadableChange`. */
  readonly attemptAddedBy: (change: unknown) => StreamedAttempt | undefined;
  readonly countAttempts: CountAttempts;
  readonly deadLetters: DeadLetters;
  readonly logger: Logger;
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
    const records = await readRecords(Records, { ...deps, read: deps.attemptAddedBy });
    const attempts = records.flatMap(({ change }) => change ?? []);
    const uncounted = await deps.countAttempts(shardId, attempts);
    const [first] = uncounted;
    if (first === undefined) {
      deps.logger.info('attempts.counted', { shardId, attempts: attempts.length });
    } else {
      const hours = uncounted.length;
      deps.logger.error('attempts.not_counted', { shardId, hours, ...faultField(first.fault) });
    }
    const positions = new Set(uncounted.map(({ position }) => position));
    return {
      state: {},
      batchItemFailures: firstFailed(
        records,
        ({ change, isFailed = false }) =>
          isFailed || (change !== undefined && positions.has(change.position)),
      ),
    };
  };
