import type { Cursor } from './delivery-log.ts';

export interface ReplayRequests {
  /**
   * Has `replayPending` look after an integration's pending events, one run at a time. Durable
   * when it resolves.
   */
  request(integration: { account: string; id: string }): Promise<void>;
}

/** Which deliveries are sent again: those that occurred within it and did not arrive. */
export interface Recovery {
  readonly since: Date;
  /** Inclusive. What occurred later is on its way anyway. */
  readonly until: Date;
  /** Where in the delivery log an earlier run stopped. */
  readonly after?: Cursor | undefined;
}

export interface RecoveryRequests {
  /** Has `recoverDeliveries` run, one at a time and after the replays asked for. Durable when it resolves. */
  requestRecovery(integration: { account: string; id: string }, recovery: Recovery): Promise<void>;
}
