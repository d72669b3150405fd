import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { DeadLetters } from '../../core/delivery/delivery-queue.ts';
import {
  type CountAttempts,
  type StreamedAttempt,
  UnreadableChange,
} from '../../core/delivery/statistics/count-attempts.ts';
import { faultField, type Logger } from '../_runtime/reporting.ts';

interface Deps {
  /** Throws `UnreadableChange`. */
  readonly attemptAddedBy: (change: unknown) => StreamedAttempt | undefined;
  readonly countAttempts: CountAttempts;
  readonly deadLetters: DeadLetters;
  readonly logger: Logger;
}

/** Only an event source mapping with tumbling windows tells the shard. */
interface WindowEvent extends DynamoDBStreamEvent {
  readonly shardId: string;
}

/** Windows are for `shardId` alone: nothing is kept from one batch to the next. */
interface WindowResponse extends DynamoDBBatchResponse {
  readonly state: object;
}

interface ReadRecord {
  readonly sequenceNumber: string;
  readonly attempt?: StreamedAttempt | undefined;
  readonly isFailed?: true;
}

/**
 * Counts the attempts that a batch of the delivery log's changes adds. Lambda hands out again what
 * is reported, and all that came after it: what was counted is not counted again.
 */
export const createHandler =
  (deps: Deps) =>
  async ({ shardId, Records }: WindowEvent): Promise<WindowResponse> => {
    const records = await Promise.all(Records.map((record) => read(record, deps)));
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

/** An unreadable change goes to the dead letters at once: it holds up nothing that comes after. */
const read = async (
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
