import { type Delivery, deliveryId } from '../../core/delivery/delivery.ts';
import type { Integration } from '../../core/integration/integration.ts';
import type { World } from './world.ts';

/** Checks the rules that must hold when all endpoints work and nothing is left to happen. */
export const judgeFinalState = (world: World): void => {
  const { journal, machine } = world;
  journal.note(machine.nowMs, 'END', world.integrations.all);
  judgeDeliveries(world);
  judgeIntegrations(world);
  if (world.events.size > 0) journal.violated('An event is left in its queue.');
  if (world.deliveries.size + world.slowLane.size > 0) {
    journal.violated('A delivery is left in its queue.');
  }
  if (world.replays.size > 0) journal.violated('A replay is left in its queue.');
  if (world.schedules.all.length > 0) journal.violated('A schedule is left.');
};

const judgeDeliveries = (world: World): void => {
  const { ledger, integrations, pendingEvents, setAsideEvents, journal } = world;
  const mayWait = (id: string): boolean => {
    const stored = integrations.all.find((other) => id.startsWith(deliveryId(other.id, '')));
    if (stored === undefined) return true;
    const waiting = stored.active ? [] : pendingEvents.of(stored.id);
    return [...waiting, ...setAsideEvents.of(stored.id)].some((kept) => nameOf(kept) === id);
  };
  for (const [id] of ledger.outstanding) {
    if (!mayWait(id)) journal.violated(`${id} is lost.`);
  }
  for (const id of ledger.notResent) {
    if (!mayWait(id)) journal.violated(`${id} was to be sent again.`);
  }
};

const judgeIntegrations = (world: World): void => {
  for (const id of world.ids) {
    const stored = world.integrations.all.find((other) => other.id === id);
    if (stored === undefined) judgeDeleted(id, world);
    else judgeKept(stored, world);
  }
};

const judgeKept = ({ id, active, trouble }: Integration, world: World): void => {
  if (trouble) world.journal.violated('An integration is left in trouble.');
  if (active && pendingOf(id, world).length > 0) {
    world.journal.violated('A pending event is left behind.');
  }
};

const judgeDeleted = (id: string, world: World): void => {
  const { pendingEvents, setAsideEvents, journal } = world;
  if (pendingEvents.of(id).length + setAsideEvents.of(id).length > 0) {
    journal.violated('A pending event of a deleted integration is left.');
  }
};

/**
 * The pending events of an integration, without those that are known to stay: SQS hands a message
 * out twice; one worker delivers or drops the event, the other stores it as pending and dies before
 * it can read the integration again. Nothing is lost: the next replay sends the event once more.
 */
const pendingOf = (
  id: string,
  { pendingEvents, deliveries, slowLane, ledger }: World,
): Delivery[] => {
  const handedOutTwice = new Set(
    [...deliveries.handedOutTwice, ...slowLane.handedOutTwice].map(nameOf),
  );
  return pendingEvents.of(id).filter((delivery) => {
    const name = nameOf(delivery);
    const isDone = ledger.delivered.has(name) || ledger.excused.has(name);
    return !(isDone && handedOutTwice.has(name));
  });
};

const nameOf = ({ integration, event }: Delivery): string => deliveryId(integration, event.id);
