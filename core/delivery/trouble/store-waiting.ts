import {
  canDeliver,
  type Integration,
  type IntegrationStore,
} from '../../integration/integration.ts';
import type { Delivery } from '../delivery.ts';
import type { PendingEvents } from '../pending/pending-events.ts';
import type { RetrySchedules } from './retry-schedules.ts';
import type { TroubleStates } from './troubles.ts';

/** Has the pending events of an integration without trouble replayed within the hour. */
export type AwaitReplay = (integration: Integration) => Promise<void>;

/** The schedule is made first, then marked: once marked, no further schedule is made in an epoch. */
export const buildAwaitReplay =
  (ports: {
    schedules: Pick<RetrySchedules, 'ensure'>;
    states: Pick<TroubleStates, 'awaitReplay'>;
  }): AwaitReplay =>
  async (integration) => {
    if (integration.awaitsReplay) return;
    await ports.schedules.ensure(integration);
    await ports.states.awaitReplay(integration);
  };

export type StoreWaiting = (
  delivery: Delivery,
  integration: Integration,
  options: { messageId: string },
) => Promise<void>;

/** An integration's epoch ends while a delivery is stored: so often in a row only by a fault. */
const MAX_EPOCHS = 5;

/**
 * Stores a delivery as pending that waits although its integration is not in trouble. The hourly
 * schedule of the integration's epoch, which finds no trouble, replays what waits.
 *
 * The schedule is made first. The delivery is stored next, and the integration is read once more: if
 * the epoch has ended, its schedule may have fired before the delivery was stored, so the new epoch
 * gets a schedule, too. A process that dies at any step leaves the message in its queue.
 */
export const buildStoreWaiting =
  (ports: {
    integrations: IntegrationStore;
    pendingEvents: Pick<PendingEvents, 'put' | 'removeOf'>;
    awaitReplay: AwaitReplay;
  }): StoreWaiting =>
  async (delivery, read, message) => {
    await ports.awaitReplay(read);
    await ports.pendingEvents.put(delivery, message);
    let { epoch } = read;
    for (let epochs = 0; epochs < MAX_EPOCHS; epochs += 1) {
      const now = await ports.integrations.find(delivery.account, delivery.integration);
      if (now === undefined) return ports.pendingEvents.removeOf(delivery, message);
      // A replay follows when the trouble ends, or when the integration is active again.
      if (!canDeliver(now) || now.epoch === epoch) return;
      await ports.awaitReplay(now);
      epoch = now.epoch;
    }
    throw new Error(`The epochs of integration ${read.id} end too fast.`);
  };
