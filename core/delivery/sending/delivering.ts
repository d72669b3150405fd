import type { IntegrationReader } from '../../integration/integration.ts';
import type { DeliveryQueue } from '../delivery-queue.ts';
import type { ReplayRequests } from '../pending/replay-requests.ts';
import {
  buildStorePending,
  type PendingStore,
  type SetAsideEvents,
} from '../pending/store-pending.ts';
import type { RetrySchedules } from '../trouble/begin-trouble.ts';
import { buildTroubles, type TroubleStates } from '../trouble/troubles.ts';
import type { SlotStore } from './backoff.ts';
import {
  buildDeliverWebhook,
  type DeliverWebhook,
  type DeliveryPolicy,
} from './deliver-webhook.ts';
import { type BatchPorts, createDeliveryBatch, type DeliveryBatch } from './delivery-batch.ts';
import { type AttemptPorts, buildMakeAttempt } from './make-attempt.ts';

interface DeliveringPorts extends AttemptPorts, BatchPorts {
  states: TroubleStates;
  schedules: RetrySchedules;
  slots: SlotStore;
  pendingEvents: PendingStore;
  setAsideEvents: SetAsideEvents;
  slowLane: DeliveryQueue;
  /** For the look at an integration whose delivery was stored as pending. */
  afterStoring: { integrations: Pick<IntegrationReader, 'find'>; replays: ReplayRequests };
}

/** Delivers the messages of one invocation, whose calls are gathered. */
export interface Deliverer {
  readonly deliver: DeliverWebhook;
  /** As the invocation has read it. */
  readonly findIntegration: DeliveryBatch['findIntegration'];
}

/** Composes the delivery of webhooks: one deliverer for each invocation. */
export const buildDelivering = (
  ports: DeliveringPorts,
  policy: Omit<DeliveryPolicy, 'windowMs'>,
): (() => Deliverer) => {
  const parts = {
    ...ports,
    ...policy,
    windowMs: policy.backoff.windowMs,
    makeAttempt: buildMakeAttempt(ports),
    troubles: buildTroubles({ ...ports, ...policy }),
    storePending: buildStorePending({ ...ports, ...policy, ...ports.afterStoring }),
  };
  return () => {
    const batch = createDeliveryBatch(ports);
    return {
      deliver: buildDeliverWebhook({ ...parts, batch }),
      findIntegration: batch.findIntegration,
    };
  };
};
