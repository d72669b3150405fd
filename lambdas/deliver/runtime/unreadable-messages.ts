import type { SQSRecord } from 'aws-lambda';
import type { DeadLetters } from '../../../core/delivery/delivery-queue.ts';
import type { Logger } from '../../runtime/reporting.ts';
import type { Disposal } from './sqs-batch.ts';

interface Rejection {
  /** What `process` throws for a message that can never be processed. Its text is the reason. */
  readonly Unreadable: new (
    reason: string,
  ) => Error;
  readonly logEvent: string;
  readonly deadLetters: DeadLetters;
  readonly logger: Logger;
}

/** Adds to `process` that an unreadable message goes to the dead letters at once. */
export const rejectingUnreadable =
  (
    process: (record: SQSRecord) => Promise<Disposal>,
    { Unreadable, logEvent, deadLetters, logger }: Rejection,
  ) =>
  async (record: SQSRecord): Promise<Disposal> => {
    try {
      return await process(record);
    } catch (fault) {
      if (!(fault instanceof Unreadable)) throw fault;
      const { body: text, messageAttributes: attributes } = record;
      await deadLetters.add({ text, attributes }, fault.message);
      logger.warn(logEvent, { messageId: record.messageId, reason: fault.message });
      return 'done';
    }
  };
