import DataLoader from 'dataloader';
import type { Delivery } from '../../../core/delivery/delivery.ts';
import type { DeliveryLog, LogEntry } from '../../../core/delivery/delivery-log.ts';
import type { WriteLog } from '../../../core/delivery/sending/make-attempt.ts';

/** How long the entries of a batch wait for records whose endpoints are slower. */
const LINGER_MS = 100;

interface Waiting {
  readonly entry: LogEntry;
  readonly written: () => void;
  readonly failed: (fault: unknown) => void;
}

/**
 * Writes the delivery log for one batch. The entries of all records go into one call, once the last
 * record has written or has nothing to write, or after a short time. A record writes one entry at
 * most. Listings that records make at the same time also go into one call.
 */
export const createBatchLog = (
  log: Pick<DeliveryLog, 'write' | 'list'>,
  { records }: { records: number },
) => {
  let waiting: Waiting[] = [];
  let expected = records;
  let timer: NodeJS.Timeout | undefined;

  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const entries = waiting;
    waiting = [];
    if (entries.length === 0) return;
    try {
      await log.write(entries.map(({ entry }) => entry));
      for (const { written } of entries) written();
    } catch (fault) {
      for (const { failed } of entries) failed(fault);
    }
  };

  const countRecord = (): void => {
    expected -= 1;
    if (expected === 0) void flush();
    else timer ??= setTimeout(() => void flush(), LINGER_MS);
  };

  const listings = new DataLoader<Delivery, void>((deliveries) => log.list(deliveries), {
    cache: false,
  });

  return {
    list: (delivery: Delivery): Promise<void> => listings.load(delivery),
    /** Processes a record, which may write to the log. */
    ofRecord: async <Result>(process: (write: WriteLog) => Promise<Result>): Promise<Result> => {
      let hasWritten = false;
      const write: WriteLog = (entry) =>
        new Promise((written, failed) => {
          waiting.push({ entry, written, failed });
          hasWritten = true;
          countRecord();
        });
      try {
        return await process(write);
      } finally {
        if (!hasWritten) countRecord();
      }
    },
  };
};
