import {
  canDeliver,
  type Integration,
  type IntegrationReader,
  type LatestAttempt,
} from '../../integration/integration.ts';
import type { Delivery } from '../delivery.ts';
import type { PendingStore, SetAsideEvents } from '../pending/store-pending.ts';
import type { AttemptStates, BeginTrouble } from '../trouble/begin-trouble.ts';

export interface SetAsidePorts {
  integrations: Pick<IntegrationReader, 'find'>;
  setAsideEvents: SetAsideEvents;
  states: Pick<AttemptStates, 'countSetAside'>;
}

/** Stores nothing for a deleted integration. If the process dies, the count may be too low. */
export const buildSetAside =
  (ports: SetAsidePorts) =>
  async (delivery: Delivery): Promise<void> => {
    const { account, integration: id } = delivery;
    const isNew = await ports.setAsideEvents.add(delivery);
    if (isNew) await ports.states.countSetAside({ account, id }, 1);
    const integration = await ports.integrations.find(account, id);
    if (integration === undefined) await ports.setAsideEvents.remove(delivery);
  };

/** Saves most reads. */
export const mayBeSetAside = (
  { trigger }: Delivery,
  { setAside = 0 }: Pick<Integration, 'setAside'>,
): boolean => trigger === 'manual' || (trigger === 'replay' && setAside > 0);

interface StoredWith {
  readonly latest: LatestAttempt;
  readonly messageId: string;
  readonly dueAt: Date;
  readonly inTrouble: boolean;
}

/** Epochs that may end while a delivery is stored; more is an error. */
const MAX_EPOCHS = 5;

/**
 * Stores an attempted delivery until its next attempt, by the hourly schedule at the latest. Unless
 * `inTrouble`, the integration becomes waiting. Resolves to false if the epoch that was read is
 * over.
 *
 * If the epoch has ended after the delivery is stored, the last replay may have missed it: the
 * integration becomes waiting in its new epoch. If the process dies, the message is received again.
 */
export const buildStoreWaiting =
  (ports: {
    integrations: Pick<IntegrationReader, 'find'>;
    pendingEvents: PendingStore;
    troubles: { begin: BeginTrouble };
  }) =>
  async (
    delivery: Delivery,
    read: Integration,
    { latest, messageId, dueAt, inTrouble }: StoredWith,
  ): Promise<boolean> => {
    const wait = (integration: Integration) =>
      ports.troubles.begin(integration, { kind: 'waiting' }, { latest });
    if (!inTrouble && !(await wait(read))) return false;
    await ports.pendingEvents.put(delivery, { messageId, dueAt });
    for (let epochs = 0; epochs < MAX_EPOCHS; epochs += 1) {
      const now = await ports.integrations.find(delivery.account, delivery.integration);
      if (now === undefined) {
        await ports.pendingEvents.removeOf(delivery, { messageId });
        return true;
      }
      // All pending events are replayed when a trouble ends or the integration becomes active.
      if (!canDeliver(now) || now.epoch === read.epoch || (await wait(now))) return true;
    }
    throw new Error(`The epochs of integration ${read.id} end too fast.`);
  };
