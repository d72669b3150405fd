import type { DynamoDBRecord } from 'aws-lambda';
import type { DeadLetters } from '../../../core/delivery/delivery-queue.ts';
import { UnreadableChange } from '../../../core/delivery/message-format.ts';
import { faultField, type Logger } from '../../runtime/reporting.ts';

interface ReadRecordDeps<Change> {
  /** Throws `UnreadableChange`. */
  readonly read: (record: DynamoDBRecord) => Change;
  readonly deadLetters: DeadLetters;
  readonly logger: Logger;
}

/** `isFailed`: Lambda is to send the record again. */
interface ReadRecord<Change> {
  readonly sequenceNumber: string;
  readonly change?: Change;
  readonly isFailed?: true;
}

/** Unreadable changes go to the dead-letter queue at once, so that they block no later change. */
export const readRecords = <Change>(
  records: readonly DynamoDBRecord[],
  deps: ReadRecordDeps<Change>,
): Promise<readonly ReadRecord<Change>[]> =>
  Promise.all(records.map((record) => readRecord(record, deps)));

const readRecord = async <Change>(
  record: DynamoDBRecord,
  { read, deadLetters, logger }: ReadRecordDeps<Change>,
): Promise<ReadRecord<Change>> => {
  const { SequenceNumber: sequenceNumber = '', Keys: keys } = record.dynamodb ?? {};
  try {
    return { sequenceNumber, change: read(record) };
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

/** The first record that failed: Lambda sends it and all later ones again. */
export const firstFailed = <Record extends { readonly sequenceNumber: string }>(
  records: readonly Record[],
  isFailed: (record: Record) => boolean,
): { readonly itemIdentifier: string }[] => {
  const failed = records.find(isFailed);
  return failed ? [{ itemIdentifier: failed.sequenceNumber }] : [];
};

/** When the first of the records was written, in milliseconds since 1970. */
export const writtenAt = ([first]: readonly DynamoDBRecord[]): number =>
  1_000 * (first?.dynamodb?.ApproximateCreationDateTime ?? Number.POSITIVE_INFINITY);
