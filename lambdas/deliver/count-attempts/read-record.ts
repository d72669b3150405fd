import type { DynamoDBRecord } from 'aws-lambda';
import type { DeadLetters } from '../../../core/delivery/delivery-queue.ts';
import {
  type StreamedAttempt,
  UnreadableChange,
} from '../../../core/delivery/statistics/count-attempts.ts';
import { faultField, type Logger } from '../../runtime/reporting.ts';

export interface ReadRecordDeps {
  /** Throws `UnreadableChange`. */
  readonly attemptAddedBy: (change: unknown) => StreamedAttempt | undefined;
  readonly deadLetters: DeadLetters;
  readonly logger: Logger;
}

/** `isFailed`: Lambda is to send the record again. */
interface ReadRecord {
  readonly sequenceNumber: string;
  readonly attempt?: StreamedAttempt | undefined;
  readonly isFailed?: true;
}

/** An unreadable change goes to the dead-letter queue at once, so that it blocks no later change. */
export const readRecord = async (
  record: DynamoDBRecord,
  { attemptAddedBy, deadLetters, logger }: ReadRecordDeps,
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
