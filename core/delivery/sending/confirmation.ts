import type { Integration, IntegrationReader } from '../../integration/integration.ts';
import type { Delivery } from '../delivery.ts';
import type { QueuedDelivery } from '../delivery-queue.ts';
import type { PendingStore } from '../pending/store-pending.ts';
import type { Troubles } from '../trouble/troubles.ts';
import { mayBeSetAside, type SetAsidePorts } from './store-event.ts';

export interface ConfirmationPorts extends Pick<SetAsidePorts, 'integrations' | 'setAsideEvents'> {
  integrations: Pick<IntegrationReader, 'find'>;
  states: Pick<SetAsidePorts['states'], 'countSetAside'>;
  pendingEvents: Pick<PendingStore, 'removeOf'>;
  troubles: Pick<Troubles, 'recover'>;
}

interface Confirmed {
  readonly delivery: Delivery;
  /** As it was read; absent if it is deleted. */
  readonly integration: Integration | undefined;
  /** An earlier receive of it may have stored the delivery as pending. */
  readonly message?: Pick<QueuedDelivery, 'messageId' | 'receiveCount'>;
  /** With it, a failure that followed from a refusal of this very event ends. */
  readonly confirmedAt?: Date | undefined;
}

/**
 * Does what follows from a confirmation of a delivery, whenever it is known: the delivery is not
 * pending nor set aside any more, and a failure that followed from a refusal of a duplicate ends.
 * Resolves to whether there was such a failure.
 */
export const buildConfirmed =
  (ports: ConfirmationPorts) =>
  async ({ delivery, integration, message, confirmedAt }: Confirmed): Promise<boolean> => {
    if (message && message.receiveCount > 1) await ports.pendingEvents.removeOf(delivery, message);
    if (integration !== undefined) await unsetAside(delivery, integration, ports);
    return confirmedAt !== undefined && endFailureOf(delivery, confirmedAt, ports);
  };

const unsetAside = async (
  delivery: Delivery,
  integration: Integration,
  { setAsideEvents, states }: Pick<ConfirmationPorts, 'setAsideEvents' | 'states'>,
): Promise<void> => {
  if (!mayBeSetAside(delivery, integration)) return;
  const { account, integration: id } = delivery;
  const isRemoved = await setAsideEvents.remove(delivery);
  if (isRemoved) await states.countSetAside({ account, id }, -1);
};

const endFailureOf = async (
  { account, integration: id, event }: Delivery,
  confirmedAt: Date,
  { integrations, troubles }: Pick<ConfirmationPorts, 'integrations' | 'troubles'>,
): Promise<boolean> => {
  const integration = await integrations.find(account, id);
  const isFailed = integration?.trouble?.event === event.id;
  return isFailed && troubles.recover(integration, { confirmedAt });
};
