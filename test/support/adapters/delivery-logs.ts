import type { Tables } from 'local-aws/test/support/tables.ts';
import { useTables } from 'local-aws/test/support/tables.ts';
import { describe } from 'vitest';
import { DynamoDbDeliveryLog } from '../../../adapters/dynamodb/delivery-log/delivery-log.ts';
import { DynamoDbDeliveryLogReader } from '../../../adapters/dynamodb/delivery-log/delivery-log-reader.ts';
import type { Attempt } from '../../../core/delivery/attempt.ts';
import type { Delivery } from '../../../core/delivery/delivery.ts';
import type { DeliveryLog, LogEntry } from '../../../core/delivery/delivery-log.ts';
import type {
  DeliveryLogReader,
  DeliveryPage,
} from '../../../core/delivery/delivery-log-reader.ts';
import { InMemoryDeliveryLog } from '../delivery/in-memory-delivery-log.ts';
import { aDelivery } from '../event/platform-events.ts';

/** A delivery log with what writes it. */
export interface WrittenDeliveryLog {
  readonly log: DeliveryLog;
  readonly reader: DeliveryLogReader;
  open(...deliveries: Delivery[]): Promise<void>;
  record(...attempts: Attempt[]): Promise<void>;
}

/** 2026-11-20 at twelve, when the log is written and read, and so many minutes later. */
export const pastNoon = (minutes: number): Date => new Date(Date.UTC(2026, 10, 20, 12, minutes));

/** A busy machine opens so many well within the deadline of the delivery log. */
const OPENED_AT_ONCE = 100;

export const inTable = async (
  tables: Tables,
  { now = () => pastNoon(0) } = {},
): Promise<WrittenDeliveryLog> => {
  const table = await tables.createTable('partition', 'entry');
  const log = new DynamoDbDeliveryLog(tables.client, table, {
    deadlineMs: 8_000,
    now,
  });
  return {
    log,
    reader: new DynamoDbDeliveryLogReader(tables.client, table, { now }),
    open: async (...deliveries) => {
      for (let from = 0; from < deliveries.length; from += OPENED_AT_ONCE) {
        const some = deliveries.slice(from, from + OPENED_AT_ONCE);
        const [fault] = (await log.list(some)).filter((each) => each !== undefined);
        if (fault) throw fault;
      }
    },
    record: async (...attempts) => {
      for (const attempt of attempts) await log.write([laterEntry(attempt)]);
    },
  };
};

/** An attempt of a delivery that was attempted before: its body is not needed. */
export const laterEntry = (attempt: Attempt): LogEntry => ({
  delivery: aDelivery({ ...ownerOf(attempt), body: '' }),
  attempt,
  logged: 'attempted',
});

const ownerOf = ({ account, integration, event }: Attempt) => ({ account, integration, event });

const inMemory = async (): Promise<WrittenDeliveryLog> => {
  const log = new InMemoryDeliveryLog();
  return {
    log,
    reader: log,
    open: async (...deliveries) => void (await log.list(deliveries)),
    record: async (...attempts) => {
      for (const attempt of attempts) await log.record(attempt);
    },
  };
};

/** What the fake and the adapter hold to alike. */
export const describeDeliveryLogs = (
  contract: (create: () => Promise<WrittenDeliveryLog>) => void,
): void => {
  describe('the delivery log in memory', () => contract(inMemory));
  describe('the delivery log in a table', () => {
    const tables = useTables();
    contract(() => inTable(tables));
  });
};

export const idsOf = ({ deliveries }: DeliveryPage): string[] =>
  deliveries.map(({ event }) => event.id);

/** All pages, from the first to the one without a `next`. */
export const walk = async (
  read: (after: { after?: string }) => Promise<DeliveryPage>,
): Promise<DeliveryPage[]> => {
  const pages = [await read({})];
  for (let next = pages[0]?.next; next !== undefined; ) {
    const page = await read({ after: next });
    pages.push(page);
    next = page.next;
  }
  return pages;
};
