import DataLoader from 'dataloader';
import type {
  Integration,
  IntegrationKey,
  IntegrationReader,
} from '../../integration/integration.ts';
import type { Delivery } from '../delivery.ts';
import {
  type DeliveryLog,
  type LogEntry,
  type LogReading,
  type ReadLog,
  readOrUnknown,
} from '../delivery-log.ts';
import { buildNoteSlowness, type SlownessPorts } from '../lanes.ts';
import type { ReplayRequests } from '../pending/replay-requests.ts';
import type { AttemptStates } from '../trouble/begin-trouble.ts';
import type { WriteLog } from './make-attempt.ts';

/** How long the log entries of a batch wait for deliveries whose endpoints are slower. */
const LINGER_MS = 100;

/** How much of an instant, as `toISOString` writes it, tells its minute. */
const MINUTE = 16;

export interface BatchPorts extends SlownessPorts {
  integrations: Pick<IntegrationReader, 'find' | 'findAll'>;
  deliveryLog: DeliveryLog;
  states: Pick<AttemptStates, 'confirm' | 'noteSlowness'>;
  replays: ReplayRequests;
  wait: (ms: number) => Promise<void>;
}

const keyOf = ({ account, id }: IntegrationKey): string => `${account} ${id}`;

/**
 * Gathers the calls of the deliveries of one invocation into few. Each integration is read once, and
 * nothing is kept for the next invocation.
 */
export const createDeliveryBatch = (ports: BatchPorts) => {
  const { deliveryLog, states, replays } = ports;
  const integrations = new DataLoader<IntegrationKey, Integration | undefined, string>(
    (keys) => ports.integrations.findAll(keys),
    { cacheKeyFn: keyOf },
  );
  const readings = new DataLoader<Delivery, LogReading>(
    (deliveries) => deliveryLog.read(deliveries),
    { cache: false },
  );
  const listings = new DataLoader<Delivery, void>((deliveries) => deliveryLog.list(deliveries), {
    cache: false,
  });
  const readLog: ReadLog = (delivery) => readOrUnknown(readings.load(delivery));
  const endStreak = async (integration: Integration, confirmedAt: Date): Promise<boolean> => {
    const wasBusy = await states.confirm(integration, confirmedAt);
    if (wasBusy) await replays.request(integration, { onlyDue: true });
    return wasBusy;
  };
  const endings = firstOfKey<boolean>();
  const confirmations = firstOfKey<boolean>();
  return {
    findIntegration: (key: IntegrationKey) => integrations.load(key),
    readLog,
    /** Lists a delivery without an attempt in the log, if the log has nothing of it. */
    listInLog: (delivery: Delivery): Promise<void> => listings.load(delivery),
    ofDelivery: gatheredWrites(ports),
    noteSlowness: buildNoteSlowness(ports),
    /** The refusals of a batch ask about almost the same window. */
    confirmedSince: (id: string, since: Date): Promise<boolean> =>
      confirmations(`${id} ${since.toISOString().slice(0, MINUTE)}`, () =>
        deliveryLog.confirmedSince(id, since),
      ).result,
    /** Of the successes of a batch the first ends the streak; resolves to whether it ended `busy`. */
    endStreak: async (integration: Integration, confirmedAt: Date): Promise<boolean> => {
      const { result, isFirst } = endings(keyOf(integration), () =>
        endStreak(integration, confirmedAt),
      );
      return (await result) && isFirst;
    },
  };
};

export type DeliveryBatch = ReturnType<typeof createDeliveryBatch>;

/** Returns a function that makes the first call of each key, whose result is that of all. */
const firstOfKey = <Result>() => {
  const calls = new Map<string, Promise<Result>>();
  return (key: string, call: () => Promise<Result>) => {
    const made = calls.get(key);
    const result = made ?? call();
    calls.set(key, result);
    return { result, isFirst: made === undefined };
  };
};

/**
 * Returns a function that processes a delivery, which writes one log entry at most. The entries of
 * all deliveries go into one call, once the last delivery has written or has nothing to write, or
 * after a short time.
 */
const gatheredWrites = ({ deliveryLog, wait }: Pick<BatchPorts, 'deliveryLog' | 'wait'>) => {
  let open = 0;
  let send = () => {};
  const writes = new DataLoader<LogEntry, boolean>((entries) => deliveryLog.write(entries), {
    cache: false,
    batchScheduleFn: (dispatch) => {
      const sendOnce = () => {
        if (send !== sendOnce) return;
        send = () => {};
        dispatch();
      };
      send = sendOnce;
      if (open > 0) void wait(LINGER_MS).then(sendOnce);
    },
  });
  return async <Result>(process: (write: WriteLog) => Promise<Result>): Promise<Result> => {
    let isOpen = true;
    open += 1;
    const close = () => {
      if (isOpen) open -= 1;
      isOpen = false;
    };
    const write: WriteLog = (entry) => {
      close();
      const written = writes.load(entry);
      if (open === 0) send();
      return written;
    };
    try {
      return await process(write);
    } finally {
      close();
      if (open === 0) send();
    }
  };
};
