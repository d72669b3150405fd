import type { Integration } from '../../integration/integration.ts';
import { type Delivery, withAttempts } from '../delivery.ts';
import type { QueuedDelivery } from '../delivery-queue.ts';
import type { MadeAttempt } from './make-attempt.ts';

/**
 * What became of a queued delivery, and of its message:
 * - `dropped`, `pending`, `set-aside`, `delivered`: the effect is durable, the message may be
 *   deleted.
 * - `refused-again`: a resend or a recovery of what is set aside was refused. Nothing changes, and
 *   the message may be deleted.
 * - `backing-off`: the message comes back at `nextAttemptAt`.
 * - `outdated`: the attempt failed or was not made, because the integration was changed meanwhile;
 *   the message comes back at once.
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

/** An attempt of a pending event. `wasSetAside`: the event is at fault, and is not retried. */
export interface RetryAttempt {
  readonly made: MadeAttempt;
  readonly wasSetAside: boolean;
}

/** An attempt of a queued delivery, for what follows from it. */
export interface Settled {
  readonly queued: QueuedDelivery;
  /** As it was read before the attempt. */
  readonly integration: Integration;
  readonly made: MadeAttempt;
}

/** The delivery with the attempts of its message. */
export const attempted = ({ delivery, receiveCount }: QueuedDelivery): Delivery =>
  withAttempts(delivery, receiveCount);

export const backingOffSince = ({ delivery, firstReceivedAt }: QueuedDelivery): string =>
  delivery.backingOffSince ?? firstReceivedAt.toISOString();
