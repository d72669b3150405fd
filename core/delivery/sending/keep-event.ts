import {
  canDeliver,
  type Integration,
  type IntegrationReader,
  type LatestAttempt,
} from '../../integration/integration.ts';
import { type Attempt, endOf, isJudgedByEndpoint } from '../attempt.ts';
import { afterAttempt, type Delivery } from '../delivery.ts';
import type { PendingStore, SetAsideEvents } from '../pending/store-pending.ts';
import type { AttemptStates, BeginTrouble } from '../trouble/begin-trouble.ts';
import { type ReadLog, readOrUnknown } from './read-log.ts';

/**
 * Whether a refused event and not the endpoint is at fault: it was refused before, and a later
 * attempt of another event was confirmed, with the present settings. A refused address is never an
 * event's fault.
 */
export const isAtFault = (
  { confirmedAt, updatedAt }: Integration,
  { outcome }: Attempt,
  refusedAt: string | undefined,
): boolean =>
  isJudgedByEndpoint(outcome) &&
  refusedAt !== undefined &&
  confirmedAt !== undefined &&
  confirmedAt > refusedAt &&
  confirmedAt >= updatedAt;

/** The delivery after an attempt that failed for good. */
export const afterRefusal = (delivery: Delivery, attempt: Attempt): Delivery => ({
  ...afterAttempt(delivery),
  ...(isJudgedByEndpoint(attempt.outcome) && { refusedAt: endOf(attempt).toISOString() }),
});

interface Ports {
  integrations: Pick<IntegrationReader, 'find'>;
  setAsideEvents: SetAsideEvents;
  states: Pick<AttemptStates, 'countSetAside'>;
}

/** Keeps nothing for a deleted integration. If the process dies, the count may be too low. */
const buildSetAside =
  (ports: Ports) =>
  async (delivery: Delivery): Promise<void> => {
    const { account, integration: id } = delivery;
    const isNew = await ports.setAsideEvents.add(delivery);
    if (isNew) await ports.states.countSetAside({ account, id }, 1);
    const integration = await ports.integrations.find(account, id);
    if (integration === undefined) await ports.setAsideEvents.remove(delivery);
  };

/**
 * What a fatal outcome does to the delivery itself. `unchanged`: the endpoint confirmed it before, or
 * it is set aside already, and nothing but its log changes. `set-aside`: it is at fault. Undefined:
 * neither.
 */
export const buildJudgeFatal = (ports: Ports) => {
  const setAside = buildSetAside(ports);
  const takeBack = buildTakeBack(ports);
  return async (
    { delivery, refused, attempt }: { delivery: Delivery; refused: Delivery; attempt: Attempt },
    integration: Integration,
    { isAtFault, readLog }: { isAtFault: () => Promise<boolean>; readLog: ReadLog },
  ): Promise<'unchanged' | 'set-aside' | undefined> => {
    const isConfirmed =
      isJudgedByEndpoint(attempt.outcome) &&
      (await readOrUnknown(delivery, readLog)).logged === 'delivered';
    if (isConfirmed) {
      await takeBack(delivery, integration);
      return 'unchanged';
    }
    const isSetAside =
      mayBeSetAside(delivery, integration) && (await ports.setAsideEvents.has(delivery));
    if (isSetAside) return 'unchanged';
    if (!(await isAtFault())) return undefined;
    await setAside(refused);
    return 'set-aside';
  };
};

/** Saves most reads. A recovery may replay set-aside events without `refusedAt`. */
const mayBeSetAside = (
  { trigger, refusedAt }: Delivery,
  { setAside = 0 }: Pick<Integration, 'setAside'>,
): boolean =>
  trigger === 'manual' || refusedAt !== undefined || (trigger === 'replay' && setAside > 0);

export const buildTakeBack =
  ({ setAsideEvents, states }: Pick<Ports, 'setAsideEvents' | 'states'>) =>
  async (delivery: Delivery, integration: Integration): Promise<void> => {
    if (!mayBeSetAside(delivery, integration)) return;
    const { account, integration: id } = delivery;
    const was = await setAsideEvents.remove(delivery);
    if (was) await states.countSetAside({ account, id }, -1);
  };

interface Waiting {
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
    { latest, messageId, dueAt, inTrouble }: Waiting,
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
