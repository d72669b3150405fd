import { type Delivery, deliveryId } from '../../core/delivery/delivery.ts';
import type { DeliveryLog } from '../../core/delivery/delivery-log.ts';
import type { DeliveryLogReader } from '../../core/delivery/delivery-log-reader.ts';
import { type DeliveryQueue, NotEnqueued } from '../../core/delivery/delivery-queue.ts';
import { SLOW_AFTER_MS } from '../../core/delivery/lanes.ts';
import type { PendingEvents } from '../../core/delivery/pending/pending-events.ts';
import type { ReplayRequests } from '../../core/delivery/pending/replay-requests.ts';
import type { SetAsideEvents } from '../../core/delivery/pending/store-pending.ts';
import type { SlotStore } from '../../core/delivery/sending/backoff.ts';
import type { WebhookEndpoint, WebhookRequest } from '../../core/delivery/sending/make-attempt.ts';
import type { TroubleStates } from '../../core/delivery/trouble/troubles.ts';
import type { Integration, IntegrationReader } from '../../core/integration/integration.ts';
import { eachByCall, isAsyncGenerator } from '../support/called-ports.ts';
import type { Process } from './machine.ts';
import type { RetryMessage } from './virtual-scheduler.ts';
import { RETRY_INTERVAL_MS, type World } from './world.ts';

/** The ports of one process: each call of a port is a step of the machine. */
export const portsOf = (
  world: World,
  process: Process,
  { retry }: { retry?: RetryMessage } = {},
) => {
  const { machine } = world;
  const through = portWrapper(world, process);
  const readings = new Map<string, Integration | undefined>();
  let isFirst = true;
  const integrations = through('integrations', world.integrations);
  return {
    now: machine.now,
    random: () => machine.random.next(),
    wait: (ms: number) => machine.wait(process, ms),
    integrations,
    /** Reads integrations for a batch, and records in `readings` what the process acts on. */
    reading: { ...recordingReads(integrations, readings), find: integrations.find },
    /** As `reading`, for a process that acts on one integration, as read before its first POST. */
    recording: recordingReads(integrations, readings, { isOver: () => !isFirst }),
    readings,
    /** For the calls that a worker makes when it has stored a pending event. */
    afterStoring: {
      integrations: through<Pick<IntegrationReader, 'find'>>('afterStoring', world.integrations),
      replays: through<ReplayRequests>('afterStoring', world.replays),
    },
    secrets: through('secrets', world.secrets),
    states: through<TroubleStates>('states', world.integrations),
    slots: through<SlotStore>('slots', world.slots),
    pendingEvents: through<PendingEvents>('pendingEvents', world.pendingEvents),
    setAsideEvents: through<SetAsideEvents>('setAsideEvents', {
      add: (delivery) => {
        world.ledger.setAside(delivery, { atMs: machine.nowMs });
        const { integration, event } = delivery;
        world.timeRules.judgeSetAside(deliveryId(integration, event.id), integration);
        return world.setAsideEvents.add(delivery);
      },
      has: (delivery) => world.setAsideEvents.has(delivery),
      remove: (delivery) => world.setAsideEvents.remove(delivery),
    }),
    deliveryLog: through<DeliveryLog>('deliveryLog', world.deliveryLog),
    deliveryLogReader: through<DeliveryLogReader>('deliveryLogReader', world.deliveryLog),
    replays: through('replays', world.replays),
    schedules: through('schedules', world.schedules),
    deliveries: deliveryQueueOf(world, process, 'deliveries'),
    slowLane: deliveryQueueOf(world, process, 'slowLane'),
    pause: (milliseconds: number) =>
      machine.call(process, 'pause', { tookMs: milliseconds, effect: () => {} }),
    /** An attempt is slow by its time, or by chance. */
    isSlow: async (attempt: Promise<unknown>) => {
      const beganMs = machine.nowMs;
      await attempt.catch(() => {});
      const isByChance = machine.random.happens(machine.chaos.slow);
      return isByChance || machine.nowMs - beganMs > SLOW_AFTER_MS;
    },
    retryIntervalMs: RETRY_INTERVAL_MS,
    windowMs: world.settings.windowMs,
    userAgent: 'Service-Webhooks/simulated',
    endpoint: {
      post: (request: WebhookRequest) => {
        if (retry) world.hourlyRules.attempted(retry);
        const hourlyRetry = retry && {
          ...{ message: retry.id, process: process.name },
          ...{ isFirst, isAgain: retry.receives > 1 },
        };
        isFirst = false;
        return machine.call(process, 'endpoint.post', {
          tookMs: world.endpoints.tookMs(request),
          repeats: false,
          effect: () => world.post(request, { hourlyRetry, readings }),
        });
      },
    } satisfies WebhookEndpoint,
  };
};

const portWrapper =
  (world: World, process: Process) =>
  <Port extends object>(name: string, port: Port): Port =>
    new Proxy(port, {
      get: (target, member) => {
        const method = Reflect.get(target, member) as (...rest: unknown[]) => Promise<unknown>;
        const called = `${name}.${String(member)}`;
        if (isAsyncGenerator(method)) {
          return (...rest: unknown[]) =>
            eachByCall(method.apply(target, rest), (effect) =>
              world.machine.call(process, called, { effect }),
            );
        }
        const effect = async (rest: unknown[]) => {
          const result = await method.apply(target, rest);
          world.afterEffect();
          return result;
        };
        return (...rest: unknown[]) =>
          world.machine.call(process, called, { effect: () => effect(rest) });
      },
    });

const recordingReads = (
  integrations: IntegrationReader,
  readings: Map<string, Integration | undefined>,
  { isOver = (): boolean => false } = {},
): IntegrationReader => ({
  findAll: async (keys) => {
    const found = await integrations.findAll(keys);
    for (const [index, { id }] of keys.entries()) {
      const read = found[index];
      if (!(read instanceof Error)) readings.set(id, read);
    }
    return found;
  },
  find: async (account, id) => {
    const found = await integrations.find(account, id);
    if (!isOver()) readings.set(id, found);
    return found;
  },
});

/** Enqueues each delivery by itself, as SQS does in a batch: some may fail while others succeed. */
const deliveryQueueOf = (
  world: World,
  process: Process,
  name: 'deliveries' | 'slowLane',
): DeliveryQueue => ({
  enqueue: async (all) => {
    const effect = (delivery: Delivery) => () => world[name].send(delivery);
    const faults = new Map<Delivery, unknown>();
    const sending = all.map((delivery) =>
      world.machine
        .call(process, `${name}.enqueue`, { effect: effect(delivery) })
        .catch((fault: unknown) => faults.set(delivery, fault)),
    );
    await Promise.all(sending);
    if (faults.size > 0) throw new NotEnqueued(faults, { of: all.length });
  },
});
