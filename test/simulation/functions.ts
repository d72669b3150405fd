import type { Delivery } from '../../core/delivery/delivery.ts';
import type { Lane } from '../../core/delivery/lanes.ts';
import { buildRunReplay } from '../../core/delivery/pending/run-replay.ts';
import { buildRunRecovery } from '../../core/delivery/recovery/run-recovery.ts';
import { buildRouteEvents } from '../../core/delivery/route-event.ts';
import type { DeliverWebhook } from '../../core/delivery/sending/deliver-webhook.ts';
import { buildDelivering } from '../../core/delivery/sending/delivering.ts';
import { buildRetrying } from '../../core/delivery/sending/retrying.ts';
import type { PlatformEvent } from '../../core/event/event.ts';
import { judgeResult } from './attempt-rules.ts';
import type { Process } from './machine.ts';
import { portsOf } from './process-ports.ts';
import type { Received, ReplayMessage } from './queues.ts';
import { readOnce } from './read-once.ts';
import type { RetryMessage } from './virtual-scheduler.ts';
import { type Functions, RETRY_INTERVAL_MS, type World } from './world.ts';

type Ports = ReturnType<typeof portsOf>;

const MINUTE_MS = 60_000;
/** A run of a replay has a minute, and stops before it is over. */
const MOST_OF_RUN_MS = 45_000;

/**
 * The functions that queues and schedules invoke. They do what the handlers of lambdas/ do; each
 * invocation is a process of the machine.
 */
export const createFunctions = (world: World): Functions => ({
  routeEvents: (batch) =>
    world.machine.start('route-event', (process) => routeEvents(batch, { world, process }), {
      lifetimeMs: MINUTE_MS,
    }),
  deliverWebhooks: (batch, lane) =>
    world.machine.start(
      'deliver-webhook',
      (process) => deliverWebhooks(batch, lane, { world, process }),
      {
        lifetimeMs: MINUTE_MS,
      },
    ),
  runReplay: (message) =>
    world.machine.start('run-replay', (process) => runReplay(message, { world, process }), {
      lifetimeMs: 5 * MINUTE_MS,
    }),
  retryHourly: (message, ended) =>
    world.machine.start('retry-hourly', (process) => retryHourly(message, { world, process }), {
      lifetimeMs: MINUTE_MS,
      ended,
    }),
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
  const ofAccount = readOnce((account: string) => ports.integrations.listOf(account));
  const received = batch.map(({ content, receiveCount, message }) => ({
    event: content,
    wasReceivedBefore: receiveCount > 1,
    message,
  }));
  const { faults } = await buildRouteEvents({ ...ports, subscriptions: { ofAccount } })(received);
  if (received.some(({ wasReceivedBefore }) => wasReceivedBefore)) {
    world.journal.saw('event rerouted');
  }
  await eachOf(received, async (each) => {
    if (faults.has(each)) throw faults.get(each);
    const { event, message } = each;
    const listed = await ofAccount(event.account);
    await world.machine.call(process, 'events.delete', {
      effect: () => {
        world.ledger.routed(event, listed);
        world.events.delete({ message });
      },
    });
  });
};

const deliverWebhooks = async (
  batch: readonly Received<Delivery>[],
  lane: Lane,
  { world, process }: Run,
): Promise<void> => {
  const ports = portsOf(world, process);
  const { settings, backoff } = world;
  const startBatch = buildDelivering(
    { ...ports, integrations: ports.reading },
    {
      lane,
      backoff,
      busyAfter: settings.busyAfter,
      failedAfter: settings.busyAfter,
      retryIntervalMs: RETRY_INTERVAL_MS,
      backoffLimits: settings.backoffLimits,
    },
  );
  const { deliver } = startBatch();
  await eachOf(batch, (received) => deliverOne(received, { world, process, ports, lane, deliver }));
};

const runReplay = async (message: ReplayMessage, { world, process }: Run): Promise<void> => {
  const { machine, journal, replays } = world;
  const hasTime = () =>
    machine.nowMs < process.beganAt + MOST_OF_RUN_MS &&
    !machine.random.happens(machine.chaos.outOfTime);
  const ports = portsOf(world, process);
  if (message.recovery === undefined) {
    const { kind } = await buildRunReplay(ports)(message, hasTime);
    journal.saw(`replay ${kind}`);
  } else {
    const recover = buildRunRecovery(ports);
    const { kind, resent } = await recover({ ...message, recovery: message.recovery }, hasTime);
    journal.saw(`recovery ${kind}`);
    if (resent > 0) journal.saw('recovery of what is not pending');
  }
  await machine.call(process, 'replays.delete', { effect: () => replays.delete(message) });
};

const retryHourly = async (message: RetryMessage, { world, process }: Run): Promise<void> => {
  const ports = portsOf(world, process, { retry: message });
  const { retryHourly } = buildRetrying({
    ...ports,
    integrations: ports.recording,
    failedAfter: world.settings.busyAfter,
    retryIntervalMs: RETRY_INTERVAL_MS,
  });
  const isOnceMore = message.receives > 1;
  const result = await retryHourly(message.schedule, { messageId: message.id });
  message.onceMoreAtMs = result.onceMoreAt?.getTime();
  world.journal.saw(`retry ${result.kind}`);
  if (isOnceMore) world.journal.saw('retry once more');
  // Nothing is left to attempt, or what is due is replayed: the hour is used up all the same.
  const isUsedUp = result.kind === 'woken' || result.kind === 'nothing-pending';
  if (isUsedUp) world.hourlyRules.attempted(message);
  if (result.kind !== 'retried') return;
  if (result.endedTrouble) {
    world.journal.saw('retry ended trouble');
    world.hourlyRules.recovered(message);
  } else if (!isOnceMore) world.hourlyRules.retried(message, process);
};

/** Delivers one message of a batch, and then tells the queue to keep or to delete the message. */
const deliverOne = async (
  received: Received<Delivery>,
  given: Run & {
    ports: Ports;
    lane: Lane;
    deliver: DeliverWebhook;
  },
): Promise<void> => {
  const { world, process, ports } = given;
  const queue = given.lane === 'fast' ? world.deliveries : world.slowLane;
  const { content: delivery, message, ...receipt } = received;
  const queued = { ...receipt, delivery, messageId: message.id };
  const isResentSetAside =
    delivery.trigger === 'manual' &&
    world.setAsideEvents.of(delivery.integration).some(isOf(delivery));
  const result = await given.deliver(queued);
  if (isResentSetAside && 'became' in result && result.became === 'failed') {
    world.journal.violated('A resend of what is set aside fails its integration.');
  }
  const isBusy = ports.readings.get(delivery.integration)?.trouble?.kind === 'busy';
  if (
    isBusy &&
    delivery.backoff?.hasSlot &&
    result.kind === 'pending' &&
    result.made === undefined
  ) {
    world.journal.violated('A probe that was moved to the slow lane is not attempted.');
  }
  judgeResult(result, { world, process, delivery });
  world.journal.saw(`delivery ${result.kind}`);
  if (result.kind === 'dropped') {
    const dropped = delivery.trigger === 'rerouted' ? 'rerouted delivery' : 'delivery';
    world.journal.saw(`${dropped} dropped: ${result.because}`);
  }
  if ('logFault' in result) world.journal.saw('delivery whose log cannot be read');
  if (result.kind === 'backing-off' || result.kind === 'outdated') {
    const startedMs = world.machine.nowMs;
    const dueMs = result.kind === 'outdated' ? startedMs : result.nextAttemptAt.getTime();
    await world.machine.call(process, 'deliveries.changeVisibility', {
      effect: () => {
        queue.changeVisibility(received, { delayMs: dueMs - startedMs, dueMs });
        judgeBackingOff(world, delivery.integration);
      },
    });
    return;
  }
  await world.machine.call(process, 'deliveries.delete', {
    effect: () => {
      const reading = ports.readings.get(delivery.integration);
      if (result.kind === 'dropped') world.ledger.dropped(received, result.because, { reading });
      queue.delete(received);
    },
  });
};

const isOf =
  ({ event }: Delivery) =>
  (other: Delivery): boolean =>
    other.event.id === event.id;

/** No more messages of an integration wait by visibility timeout than it has backoff slots. */
const judgeBackingOff = (
  { deliveries, slowLane, settings, machine, journal }: World,
  integration: string,
): void => {
  const waiting = [...deliveries.putOff, ...slowLane.putOff].filter(
    ({ content, dueMs }) => content.integration === integration && dueMs > machine.nowMs,
  );
  if (waiting.length > settings.backoffLimits.most) {
    journal.violated('Too many deliveries of an integration back off.');
  }
};

/** Processes the items side by side; an item that fails does not disturb the others. */
const eachOf = async <Item>(
  items: readonly Item[],
  process: (item: Item) => Promise<void>,
): Promise<void> => {
  const ended = await Promise.allSettled(items.map(process));
  const faults = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  if (faults.length > 0) throw new AggregateError(faults);
};
