import type { Delivery } from '../delivery.ts';
import type { Logged, LogReading } from '../delivery-log.ts';

export type ReadLog = (delivery: Delivery) => Promise<LogReading>;

export interface Reading extends Omit<LogReading, 'logged'> {
  readonly logged: Logged;
  readonly logFault?: unknown;
}

/** After an error the delivery counts as not delivered: deliveries go on without the log. */
export const readOrUnknown = (delivery: Delivery, readLog: ReadLog): Promise<Reading> =>
  readLog(delivery).catch((logFault: unknown) => ({ logged: 'unknown', logFault }));
