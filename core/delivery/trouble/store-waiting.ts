import {
  canDeliver,
  type Integration,
  type IntegrationStore,
  type LatestAttempt,
} from '../../integration/integration.ts';
import type { Delivery } from '../delivery.ts';
import type { PendingEvents } from '../pending/pending-events.ts';
import type { Troubles } from './troubles.ts';

interface Waiting {
  readonly latest: LatestAttempt;
  readonly messageId: string;
  readonly dueAt: Date;
  readonly inTrouble: boolean;
}

/** Epochs that may end while a delivery is stored; more is an error. */
const MAX_EPOCHS = 5;

/**
 * Stores a delivery that was attempted without success until its next attempt is due, for the
 * hourly schedule at the latest. `inTrouble`: the integration is in trouble in its epoch; if not,
 * it becomes waiting. Resolves to false if that epoch was over before.
 *
 * First the schedule is made, then the delivery is stored, then the integration is read again: if
 * its epoch has ended, the last replay may have missed the delivery, so the integration becomes
 * waiting in its new epoch. If the process dies at any step, the message is received again.
 */
export const buildStoreWaiting =
  (ports: {
    integrations: IntegrationStore;
    pendingEvents: Pick<PendingEvents, 'put' | 'removeOf'>;
    troubles: Pick<Troubles, 'begin'>;
  }) =>
  async (
    delivery: Delivery,
    read: Integration,
    { latest, messageId, dueAt, inTrouble }: Waiting,
  ): Promise<boolean> => {
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
      // All pending events are replayed when a trouble ends, and when the integration becomes
      // active.
      if (!canDeliver(now) || now.epoch === read.epoch || (await wait(now))) return true;
    }
    throw new Error(`The epochs of integration ${read.id} end too fast.`);
  };
