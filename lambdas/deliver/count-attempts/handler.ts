import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { DeadLetters } from '../../../core/delivery/delivery-queue.ts';
import {
  type CountAttempts,
  type StreamedAttempt,
  UnreadableChange,
} from '../../../core/delivery/statistics/count-attempts.ts';
import { faultField, type Logger } from '../../runtime/reporting.ts';

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

/** `isFailed`: Lambda is to send the record again. */
interface ReadRecord {
  readonly sequenceNumber: string;
  readonly attempt?: StreamedAttempt | undefined;
  readonly isFailed?: true;
}

/** An unreadable change goes to the dead-letter queue at once, so that it blocks no later change. */
const readRecord = async (
  record: DynamoDBRecord,
  { attemptAddedBy, deadLetters, logger }: Deps,
): Promise<ReadRecord> => {
  const { SequenceNumber: sequenceNumber = '', Keys: keys } = record.dynamodb ?? {};
  try {
    return { sequenceNumber, attempt: attemptAddedBy(record) };
  } catch (fault) {
    if (!(fault instanceof UnreadableChange)) throw fault;
    try {
      const text = JSON.stringify({ sequenceNumber, keys });
      await deadLetters.add({ text, attributes: {} }, fault.message);
      logger.warn('change.unreadable', { sequenceNumber, reason: fault.message });
      return { sequenceNumber };
    } catch (letterFault) {
      logger.error('change.not_kept', { sequenceNumber, ...faultField(letterFault) });
      return { sequenceNumber, isFailed: true };
    }
  }
};
