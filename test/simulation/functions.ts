import { createAttemptDelivery } from '../../core/delivery/attempt-delivery.ts';
import {
  createDeliverWebhook,
  type DeliverWebhook,
  type FindIntegration,
} from '../../core/delivery/deliver-webhook.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import { createEndTrouble } from '../../core/delivery/end-trouble.ts';
import { createEnterTrouble } from '../../core/delivery/enter-trouble.ts';
import { createHoldDelivery } from '../../core/delivery/hold-delivery.ts';
import { createRecoverDeliveries } from '../../core/delivery/recover-deliveries.ts';
import { createReplayPending } from '../../core/delivery/replay-pending.ts';
import { createRetryIntegration } from '../../core/delivery/retry-integration.ts';
import type { RetrySchedule } from '../../core/delivery/retry-schedules.ts';
import type { PlatformEvent } from '../../core/events/event.ts';
import { createRouteEvent } from '../../core/events/route-event.ts';
import { readOnce } from '../../core/integrations/read-once.ts';
import type { Process } from './machine.ts';
import { portsOf } from './process-ports.ts';
import type { ReplayMessage } from './replay-queue.ts';
import type { Received } from './standard-queue.ts';
import { RETRY_INTERVAL_MS, type World } from './world.ts';

type Ports = ReturnType<typeof portsOf>;

export interface Functions {
  routeEvents(batch: readonly Received<PlatformEvent>[]): void;
  deliverWebhooks(batch: readonly Received<Delivery>[]): void;
  replayPending(message: ReplayMessage): void;
  retryIntegration(schedule: RetrySchedule, ended: Process['ended']): void;
}

const MINUTE_MS = 60_000;

/** The functions that queues and schedules invoke, as their handlers are: each run is a process. */
export const createFunctions = (world: World): Functions => ({
  routeEvents: (batch) =>
    world.machine.start('route-event', (process) => routeEvents(batch, { world, process }), {
      lifetimeMs: MINUTE_MS,
    }),
  deliverWebhooks: (batch) =>
    world.machine.start(
      'deliver-webhook',
      (process) => deliverWebhooks(batch, { world, process }),
      {
        lifetimeMs: MINUTE_MS,
      },
    ),
  replayPending: (message) =>
    world.machine.start('replay-pending', (process) => replayPending(message, { world, process }), {
      lifetimeMs: 5 * MINUTE_MS,
    }),
  retryIntegration: (schedule, ended) =>
    world.machine.start(
      'retry-integration',
      (process) => retryIntegration(schedule, { world, process }),
      { lifetimeMs: MINUTE_MS, ended },
    ),
});

interface Run {
  readonly world: World;
  readonly process: Process;
}

const routeEvents = async (
  batch: readonly Received<PlatformEvent>[],
  { world, process }: Run,
): Promise<void> => {
  const ports = portsOf(world, process);
  const routeEvent = createRouteEvent(ports);
  const list = readOnce((account: string) => ports.integrations.listOf(account));
  await eachOf(batch, async ({ content, message }) => {
    const { listingFault } = await routeEvent(content, list);
    if (listingFault !== undefined) world.journal.saw('event routed, not listed');
    const listed = await list(content.account);
    await world.machine.call(process, 'events.delete', {
      effect: () => {
        world.ledger.routed(content, listed);
        world.events.delete({ message });
      },
    });
  });
};

const deliverWebhooks = async (
  batch: readonly Received<Delivery>[],
  { world, process }: Run,
): Promise<void> => {
  const ports = portsOf(world, process);
  const deliverWebhook = deliverWebhookOf(world, ports);
  const findIntegration = readOnce(ports.reading.find);
  await eachOf(batch, (received) =>
    deliver(received, { world, process, ports, deliverWebhook, findIntegration }),
  );
};

const replayPending = async (message: ReplayMessage, { world, process }: Run): Promise<void> => {
  const { machine, journal, replays } = world;
  const hasTime = () => !machine.random.happens(machine.chaos.stall);
  const ports = portsOf(world, process);
  if (message.recovery === undefined) {
    const { kind } = await createReplayPending(ports)(message, hasTime);
    journal.saw(`replay ${kind}`);
  } else {
    const recover = createRecoverDeliveries({ ...ports, recoveries: ports.replays });
    const { kind, resent } = await recover(message, message.recovery, { hasTime });
    journal.saw(`recovery ${kind}`);
    if (resent > 0) journal.saw('recovery of what is not pending');
  }
  await machine.call(process, 'replays.delete', { effect: () => replays.delete(message) });
};

const retryIntegration = async (
  schedule: RetrySchedule,
  { world, process }: Run,
): Promise<void> => {
  const ports = portsOf(world, process);
  const result = await createRetryIntegration({
    ...ports,
    ...troubleOf(ports),
    integrations: ports.reading,
    attemptDelivery: attemptDeliveryOf(ports, { isHourly: true }),
    retryIntervalMs: RETRY_INTERVAL_MS,
  })(schedule);
  world.journal.saw(`retry ${result.kind}`);
  if (result.kind === 'retried' && result.recovered) world.journal.saw('retry recovered');
};

const troubleOf = (ports: Ports) => ({
  enterTrouble: createEnterTrouble({ ...ports, retryIntervalMs: RETRY_INTERVAL_MS }),
  endTrouble: createEndTrouble(ports),
});

const attemptDeliveryOf = (ports: Ports, { isHourly }: { isHourly: boolean }) =>
  createAttemptDelivery({
    ...ports,
    endpoint: ports.endpointFor({ isHourly }),
    userAgent: 'Service-Webhooks/simulated',
  });

const deliverWebhookOf = ({ settings, retryPolicy }: World, ports: Ports): DeliverWebhook =>
  createDeliverWebhook({
    ...ports,
    ...troubleOf(ports),
    attemptDelivery: attemptDeliveryOf(ports, { isHourly: false }),
    holdDelivery: createHoldDelivery({ ...ports, ...ports.again }),
    retryPolicy,
    busyAfter: settings.busyAfter,
  });

/** One record of a batch: what the function does with its result, then what the queue does. */
const deliver = async (
  received: Received<Delivery>,
  given: Run & {
    ports: Ports;
    deliverWebhook: DeliverWebhook;
    findIntegration: FindIntegration;
  },
): Promise<void> => {
  const { world, process, ports } = given;
  const { content: delivery, receiveCount, firstReceivedAt } = received;
  const queued = { delivery, receiveCount, firstReceivedAt };
  const result = await given.deliverWebhook(queued, given.findIntegration);
  world.journal.saw(`delivery ${result.kind}`);
  if (result.kind === 'dropped') world.journal.saw(`delivery dropped: ${result.because}`);
  if ('arrivalFault' in result) world.journal.saw('delivery whose arrival is not known');
  if (result.kind === 'backing-off' || result.kind === 'outdated') {
    const delayMs =
      result.kind === 'outdated' ? 0 : result.nextAttemptAt.getTime() - world.machine.nowMs;
    await world.machine.call(process, 'deliveries.changeVisibility', {
      effect: () => world.deliveries.changeVisibility(received, delayMs),
    });
    return;
  }
  await world.machine.call(process, 'deliveries.delete', {
    effect: () => {
      const reading = ports.readings.get(delivery.integration);
      if (result.kind === 'dropped') world.ledger.dropped(received, result.because, { reading });
      world.deliveries.delete(received);
    },
  });
};

/** Side by side; one that throws disturbs no other. */
const eachOf = async <Item>(
  items: readonly Item[],
  process: (item: Item) => Promise<void>,
): Promise<void> => {
  await Promise.allSettled(items.map(process));
};
