import type { Integration, IntegrationStore } from '../../integration/integration.ts';
import { type Attempt, endOf, isJudgedByEndpoint } from '../attempt.ts';
import type { Delivery } from '../delivery.ts';
import type { SetAsideEvents } from '../pending/pending-events.ts';
import type { TroubleStates } from '../trouble/troubles.ts';

/**
 * Whether the event is at fault for an attempt that failed for good, and not the endpoint: the
 * event has failed or backed off since `failingSince`, and another event was confirmed by an
 * attempt that began later, with the present settings. A refused address is never an event's fault.
 */
export const isAtFault = (
  { confirmedAt, updatedAt }: Integration,
  { outcome }: Attempt,
  failingSince: string | undefined,
): boolean =>
  isJudgedByEndpoint(outcome) &&
  failingSince !== undefined &&
  confirmedAt !== undefined &&
  confirmedAt > failingSince &&
  confirmedAt >= updatedAt;

/** The delivery after an attempt that failed for good, with its backoff ended. */
export const afterRefusal = (delivery: Delivery, attempt: Attempt): Delivery => ({
  ...delivery,
  backingOffSince: undefined,
  ...(isJudgedByEndpoint(attempt.outcome) && { refusedAt: endOf(attempt).toISOString() }),
});

interface Ports {
  integrations: IntegrationStore;
  setAsideEvents: SetAsideEvents;
  states: Pick<TroubleStates, 'countSetAside'>;
}

/**
 * Sets a delivery aside and counts it on its integration. If the process dies in between, the count
 * is one too low. Keeps nothing for a deleted integration.
 */
export const buildSetAside =
  (ports: Ports) =>
  async (delivery: Delivery): Promise<void> => {
    const { account, integration: id } = delivery;
    const isNew = await ports.setAsideEvents.add(delivery);
    if (isNew) await ports.states.countSetAside({ account, id }, 1);
    const integration = await ports.integrations.find(account, id);
    if (integration === undefined) await ports.setAsideEvents.remove(delivery);
  };

/**
 * Whether the delivery can be set aside already; a cheap test that saves most reads. A recovery
 * sends set-aside events as a replay, without `refusedAt` if another attempt followed the refusal.
 */
export const mayBeSetAside = (
  { trigger, refusedAt }: Delivery,
  { setAside = 0 }: Pick<Integration, 'setAside'>,
): boolean =>
  trigger === 'manual' || refusedAt !== undefined || (trigger === 'replay' && setAside > 0);

/** Removes a delivered delivery from those set aside. */
export const buildTakeBack =
  ({ setAsideEvents, states }: Pick<Ports, 'setAsideEvents' | 'states'>) =>
  async (delivery: Delivery, integration: Integration): Promise<void> => {
    if (!mayBeSetAside(delivery, integration)) return;
    const { account, integration: id } = delivery;
    const was = await setAsideEvents.remove(delivery);
    if (was) await states.countSetAside({ account, id }, -1);
  };
