import type { DeliveryQueue } from '../../../../core/delivery/delivery-queue.ts';
import { buildRunReplay } from '../../../../core/delivery/pending/run-replay.ts';
import { A_MESSAGE, aDelivery } from '../../event/platform-events.ts';
import { InMemoryIntegrations } from '../../integration/in-memory-integrations.ts';
import { anIntegration } from '../../integration/integrations.ts';
import { InMemoryDeliveryQueue } from '../in-memory-delivery-queue.ts';
import { InMemoryPendingEvents } from './in-memory-pending-events.ts';
import { InMemoryReplayRequests } from './in-memory-replay-requests.ts';

const NOON = new Date('2026-11-20T12:00:00.000Z');
const UNTROUBLED = anIntegration();
export const INTEGRATION = { account: 'acme', id: UNTROUBLED.id };

export const always = () => true;

/** The event of a second after noon. */
export const eventOf = (second: number) =>
  aDelivery({
    event: {
      id: `evt_${second}`,
      type: 'message.received',
      occurredAt: new Date(NOON.getTime() + second * 1_000).toISOString(),
    },
    priorAttempts: 1,
  });
export const eventsOf = (seconds: number) =>
  Array.from({ length: seconds }, (_, index) => eventOf(index));

/** Of one integration, by default without trouble, whose events were stored in the order given. */
export const aReplay = async ({
  stored = [UNTROUBLED],
  pending = eventsOf(3),
  deliveries = new InMemoryDeliveryQueue() as DeliveryQueue,
} = {}) => {
  const integrations = new InMemoryIntegrations(...stored);
  const pendingEvents = new InMemoryPendingEvents();
  for (const delivery of pending) await pendingEvents.put(delivery, A_MESSAGE);
  const replays = new InMemoryReplayRequests();
  const ports = { integrations, pendingEvents, deliveries, replays, now: () => NOON };
  const pendingOf = () => pendingEvents.of(UNTROUBLED.id);
  return { replay: buildRunReplay(ports), ...ports, pendingOf };
};

/** Says so many times that there is time. */
export const timeFor = (times: number) => {
  let left = times;
  return () => {
    left -= 1;
    return left >= 0;
  };
};
