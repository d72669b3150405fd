import { type Delivery, deliveryId } from '../../core/delivery/delivery.ts';
import type { Integration } from '../../core/integration/integration.ts';
import type { World } from './world.ts';

/** What must hold when the endpoints are well and nothing is left to happen. */
export const judgeRest = (world: World): void => {
  const { journal, machine } = world;
  journal.note(machine.nowMs, 'REST', world.integrations.all);
  judgeDeliveries(world);
  judgeIntegrations(world);
  if (world.events.size > 0) journal.violated('An event is left in its queue.');
  if (world.deliveries.size > 0) journal.violated('A delivery is left in its queue.');
  if (world.replays.size > 0) journal.violated('A replay is left in its queue.');
  if (world.schedules.all.length > 0) journal.violated('A schedule is left.');
};

const judgeDeliveries = ({
  ledger,
  integrations,
  pendingEvents,
  deliveries,
  journal,
}: World): void => {
  const mayWait = (id: string): boolean => {
    const stored = integrations.all.find((other) => id.startsWith(deliveryId(other.id, '')));
    if (stored === undefined) return true;
    return (
      !stored.active && pendingEvents.of(stored.id).some((delivery) => nameOf(delivery) === id)
    );
  };
  for (const [id] of ledger.outstanding) {
    if (!mayWait(id)) journal.violated(`${id} is lost.`);
  }
  // Of one that is handed out twice, the other worker may store it anew, as it was before.
  const handedOutTwice = new Set([...deliveries.handedOutTwice].map(nameOf));
  for (const id of ledger.notResent) {
    if (!mayWait(id) && !handedOutTwice.has(id)) journal.violated(`${id} was to be sent again.`);
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

const judgeDeleted = (id: string, { deliveryLog, pendingEvents, journal }: World): void => {
  if (pendingEvents.of(id).length > 0) {
    journal.violated('A pending event of a deleted integration is left.');
  }
  if (deliveryLog.attempts.some(({ integration }) => integration === id)) {
    journal.violated('An attempt of a deleted integration is left.');
  }
  if (deliveryLog.deliveries.some(({ integration }) => integration === id)) {
    journal.violated('A delivery of a deleted integration is left in the log.');
  }
};

/**
 * Without what is known to stay: SQS handed a message out twice, and while one worker delivered or
 * dropped it the other stored it and died before it could look again. Nothing is lost by it; the
 * event is sent once more with the next replay.
 */
const pendingOf = (id: string, { pendingEvents, deliveries, ledger }: World): Delivery[] => {
  const handedOutTwice = new Set([...deliveries.handedOutTwice].map(nameOf));
  return pendingEvents.of(id).filter((delivery) => {
    const name = nameOf(delivery);
    const isDone = ledger.delivered.has(name) || ledger.excused.has(name);
    return !(isDone && handedOutTwice.has(name));
  });
};

const nameOf = ({ integration, event }: Delivery): string => deliveryId(integration, event.id);
