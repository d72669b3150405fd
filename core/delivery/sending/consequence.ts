import type { Integration, IntegrationReader } from '../../integration/integration.ts';
import type { ReceivedDelivery } from '../delivery-queue.ts';
import type { ReplayRequests } from '../pending/replay-requests.ts';
import type { PendingStore, SetAsideEvents, StorePending } from '../pending/store-pending.ts';
import type { AttemptStates, BeginTrouble } from '../trouble/begin-trouble.ts';
import type { BackoffLimits, SlotStore } from './backoff.ts';
import type { MadeAttempt } from './make-attempt.ts';

/**
 * The result of a message of the deliveries queue. The message may be deleted, unless noted:
 * - `refused-again`: a delivery that was confirmed before or is set aside was refused, as by a
 *   duplicate or a resend. Nothing changes.
 * - `backing-off`: the message is to become visible at `nextAttemptAt`.
 * - `outdated`: the integration was changed meanwhile. The message is to become visible at once.
 *
 * `became`: the attempt found or made the integration busy or failed.
 */
export type Consequence =
  | { readonly kind: 'dropped'; readonly because: 'deleted' | 'delivered-before' }
  | { readonly kind: 'pending'; readonly became?: 'busy' | 'failed'; readonly made?: MadeAttempt }
  | { readonly kind: 'set-aside' | 'refused-again'; readonly made: MadeAttempt }
  | { readonly kind: 'delivered'; readonly made: MadeAttempt; readonly endedTrouble: boolean }
  | {
      readonly kind: 'backing-off';
      readonly made: MadeAttempt;
      readonly nextAttemptAt: Date;
      readonly became?: 'busy' | 'failed';
    }
  | { readonly kind: 'outdated'; readonly made?: MadeAttempt };

/** An attempt of a queued delivery, whose consequence is to be determined. */
export interface Settled {
  readonly queued: ReceivedDelivery;
  /** As it was read before the attempt. */
  readonly integration: Integration;
  readonly made: MadeAttempt;
}

export interface SettlingPorts {
  integrations: Pick<IntegrationReader, 'find'>;
  states: Pick<AttemptStates, 'extendStreak' | 'confirm' | 'countSetAside'>;
  troubles: { begin: BeginTrouble };
  storePending: StorePending;
  pendingEvents: PendingStore;
  setAsideEvents: SetAsideEvents;
  replays: ReplayRequests;
  slots: SlotStore;
  backoffLimits: BackoffLimits;
  /** Transient outcomes of different deliveries in a row after which an integration is busy. */
  busyAfter: number;
  /** Tolerated refusals of different events in a row after which an integration is failed. */
  failedAfter: number;
  retryIntervalMs: number;
  /** Uniform in [0, 1). */
  random: () => number;
}
