import {
  canDeliver,
  type Integration,
  type IntegrationStore,
  type LatestAttempt,
} from '../../integration/integration.ts';
import type { Delivery } from '../delivery.ts';
import type { PendingEvents } from '../pending/pending-events.ts';
import type { Troubles } from './troubles.ts';

/**
 * Resolves to whether the delivery is stored: not if the epoch of its integration was over before.
 */
export type StoreWaiting = (
  delivery: Delivery,
  read: Integration,
  options: { latest: LatestAttempt; messageId: string; dueAt: Date; inTrouble: boolean },
) => Promise<boolean>;

/** An integration's epoch ends while a delivery is stored: more often only if something is wrong. */
const MAX_EPOCHS = 5;

/**
 * Stores a delivery that was attempted without success until its next attempt is due, for the
 * hourly schedule at the latest. `inTrouble`: the integration is in trouble in its epoch, of any
 * kind; if not, it becomes waiting.
 *
 * The schedule is made first. The delivery is stored next, and the integration is read once more:
 * if the epoch has ended, its last replay may have missed the delivery, so the integration becomes
 * waiting in its new epoch. A process that dies at any step leaves the message in its queue.
 */
export const buildStoreWaiting =
  (ports: {
    integrations: IntegrationStore;
    pendingEvents: Pick<PendingEvents, 'put' | 'removeOf'>;
    troubles: Pick<Troubles, 'begin'>;
  }): StoreWaiting =>
  async (delivery, read, { latest, messageId, dueAt, inTrouble }) => {
    const wait = (integration: Integration) =>
      ports.troubles.begin(integration, { kind: 'waiting' }, { latest });
    if (!inTrouble && !(await wait(read))) return false;
    await ports.pendingEvents.put({ ...delivery, backsOff: undefined }, { messageId, dueAt });
    for (let epochs = 0; epochs < MAX_EPOCHS; epochs += 1) {
      const now = await ports.integrations.find(delivery.account, delivery.integration);
      if (now === undefined) {
        await ports.pendingEvents.removeOf(delivery, { messageId });
        return true;
      }
      // Everything is replayed when a trouble ends, and when the integration is active again.
      if (!canDeliver(now) || now.epoch === read.epoch || (await wait(now))) return true;
    }
    throw new Error(`The epochs of integration ${read.id} end too fast.`);
  };
