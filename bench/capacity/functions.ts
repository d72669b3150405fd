import { classify } from '../../core/delivery/attempt.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { DeliveryQueue } from '../../core/delivery/delivery-queue.ts';
import { type Lane, SLOW_AFTER_MS } from '../../core/delivery/lanes.ts';
import type { ReplayRequests } from '../../core/delivery/pending/replay-requests.ts';
import { buildRouteEvents } from '../../core/delivery/route-event.ts';
import { buildDelivering } from '../../core/delivery/sending/delivering.ts';
import type { WebhookEndpoint } from '../../core/delivery/sending/make-attempt.ts';
import type { PlatformEvent } from '../../core/event/event.ts';
import { limits } from '../../lib/limits.ts';
import { eventSourcesOf } from '../../lib/stage-settings.ts';
import { eventNumberIn } from '../../test/simulation/customer-endpoints.ts';
import { readOnce } from '../../test/simulation/read-once.ts';
import { numberAt, type Row } from './customers.ts';
import { Model, type RunSettings } from './model.ts';
import type { FairQueue, Message } from './queues.ts';
import { SourcePoller } from './source-poller.ts';

/**
 * What the calls of AWS take, charged once for an invocation: before its work it reads, and after
 * it writes. Together 15 ms, as docs/operators/capacity.md takes it.
 */
const BEFORE_MS = 5;
const AFTER_MS = 10;

const NO_REPLAYS: ReplayRequests = { request: async () => {} };

/** Bodies would take most of the memory of a run. */
const BODY = '{}';

type Batch<Content> = readonly Message<Content>[];

/** What happens in a row: queues invoke functions, which do what the handlers of lambdas/ do. */
export const simulate = async (row: Row, run: RunSettings) => {
  const model = new Model(row, run);
  const { clock, measures, queues } = model;
  const { events, deliveries, slowLane } = eventSourcesOf(run.stage);
  new SourcePoller(clock, queues.events, events, (batch) => routeEvents(batch, model));
  new SourcePoller(clock, queues.deliveries, deliveries, (batch) =>
    deliverAll(batch, 'fast', model),
  );
  new SourcePoller(clock, queues.slowLane, slowLane, (batch) => deliverAll(batch, 'slow', model));
  await clock.runFor(run.minutes * 60_000);
  return {
    ...measures.after(run),
    /** In the fast lane, and in the slow one. */
    mostInFlight: [queues.deliveries.mostInFlight, queues.slowLane.mostInFlight],
  };
};

const routeEvents = async (batch: Batch<PlatformEvent>, model: Model): Promise<void> => {
  const { clock, queues, population, integrations } = model;
  const ofAccount = readOnce(async (account: string) => {
    const found = await integrations.findAll(population.keysOf(account));
    return found.filter((integration) => integration !== undefined);
  });
  await clock.after(BEFORE_MS);
  const { faults } = await buildRouteEvents({
    now: clock.now,
    subscriptions: { ofAccount },
    deliveries: deliveryQueueOf(model, queues.deliveries),
    slowLane: deliveryQueueOf(model, queues.slowLane),
  })(batch.map(({ content }) => ({ event: content, wasReceivedBefore: false })));
  for (const fault of faults.values()) throw fault;
  await clock.after(AFTER_MS);
  for (const message of batch) queues.events.delete(message);
};

/** A batch lasts as long as its slowest delivery. */
const deliverAll = async (batch: Batch<Delivery>, lane: Lane, model: Model): Promise<void> => {
  const { clock, queues } = model;
  const queue = lane === 'fast' ? queues.deliveries : queues.slowLane;
  const { deliver } = delivering(model, lane)();
  await clock.after(BEFORE_MS);
  const results = await Promise.all(
    batch.map(({ id, content, receiveCount, firstReceivedAtMs }) =>
      deliver({
        messageId: id,
        delivery: content,
        receiveCount,
        firstReceivedAt: new Date(firstReceivedAtMs),
      }),
    ),
  );
  await clock.after(AFTER_MS);
  for (const [index, message] of batch.entries()) {
    const result = results[index];
    if (result?.kind === 'backing-off')
      queue.changeVisibility(message, result.nextAttemptAt.getTime() - clock.nowMs);
    else if (result?.kind === 'outdated') queue.changeVisibility(message, 0);
    else queue.delete(message);
  }
};

const delivering = (model: Model, lane: Lane) => {
  const { clock, random, integrations, schedules, run } = model;
  const { slots, pendingEvents, setAsideEvents, deliveryLog } = model;
  return buildDelivering(
    {
      ...{ now: clock.now, random: () => random.next() },
      ...{ integrations, schedules, slots, pendingEvents, setAsideEvents, deliveryLog },
      states: integrations,
      slowLane: deliveryQueueOf(model, model.queues.slowLane),
      ...{ replays: NO_REPLAYS, afterStoring: { integrations, replays: NO_REPLAYS } },
      endpoint: endpointOf(model),
      secrets: { open: async () => 'never asked: no secret of the model is sealed' },
      userAgent: 'Service-Webhooks/simulated',
      isSlow: isSlowOf(model),
      wait: clock.after,
    },
    {
      lane,
      backoff: limits.backoff,
      busyAfter: limits.busyAfter,
      failedAfter: limits.failedAfter,
      retryIntervalMs: run.stage.retryIntervalMs,
      backoffLimits: { most: limits.backoffSlots, probes: limits.probes },
    },
  );
};

const endpointOf = (model: Model): WebhookEndpoint => ({
  post: async ({ url, headers }) => {
    const { clock, random, measures, population, isWarm } = model;
    const integration = numberAt(url);
    const event = eventNumberIn(headers['webhook-id'] ?? '');
    measures.begun(event);
    const { result, tookMs } = population.behaviourOf(integration)({ event, isWarm, random });
    await clock.after(tookMs);
    if (classify(result).class === 'delivered') measures.delivered(integration);
    return result;
  },
});

const deliveryQueueOf = ({ clock }: Model, queue: FairQueue<Delivery>): DeliveryQueue => ({
  enqueue: async (deliveries) => {
    await clock.after(BEFORE_MS);
    for (const delivery of deliveries) {
      queue.send({ ...delivery, body: BODY }, { group: delivery.account });
    }
  },
});

/** As `isSlow` of lambdas/_runtime/, in virtual time. */
const isSlowOf =
  ({ clock, population }: Model) =>
  async (attempt: Promise<unknown>): Promise<boolean> => {
    const ended = attempt.then(() => false);
    if (population.row.hasNoSlowLane) return ended;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = clock.schedule(SLOW_AFTER_MS, () => resolve(true));
    return Promise.race([promise, ended]).finally(() => {
      timer.fire = undefined;
    });
  };
