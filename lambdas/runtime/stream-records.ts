import type { DynamoDBRecord } from 'aws-lambda';
import type { DeadLetters } from '../../core/delivery/delivery-queue.ts';
import { faultField, type Logger } from './reporting.ts';

interface ReadRecordDeps<Change> {
  /** Pure. Throws for a change that cannot be read. */
  readonly read: (record: DynamoDBRecord) => Change;
  readonly deadLetters: DeadLetters;
  readonly logger: Logger;
}

/** `isFailed`: Lambda is to send the record again. */
export interface ReadRecord<Change> {
  readonly record: DynamoDBRecord;
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
  { read, ...deps }: ReadRecordDeps<Change>,
): Promise<ReadRecord<Change>> => {
  try {
    return { record, sequenceNumber: sequenceNumberOf(record), change: read(record) };
  } catch (fault) {
    // Reading calls nothing: it would fail again.
    return keepUnreadable(record, fault, deps);
  }
};

const sequenceNumberOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.SequenceNumber ?? '';

/** Puts a change that will always fail among the dead letters, without what it says. */
export const keepUnreadable = async (
  record: DynamoDBRecord,
  fault: unknown,
  { deadLetters, logger }: Omit<ReadRecordDeps<never>, 'read'>,
): Promise<ReadRecord<never>> => {
  const sequenceNumber = sequenceNumberOf(record);
  const { error: reason, stack } = faultField(fault);
  try {
    const text = JSON.stringify({ sequenceNumber, keys: record.dynamodb?.Keys });
    await deadLetters.add({ text, attributes: {} }, reason);
    logger.warn('change.unreadable', { sequenceNumber, reason, stack });
    return { record, sequenceNumber };
  } catch (letterFault) {
    logger.error('change.not_kept', { sequenceNumber, ...faultField(letterFault) });
    return { record, sequenceNumber, isFailed: true };
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
