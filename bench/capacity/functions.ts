import type { Delivery } from '../../core/delivery/delivery.ts';
import type { Lane } from '../../core/delivery/lanes.ts';
import type { ReplayRequest } from '../../core/delivery/pending/replay-requests.ts';
import { buildRunReplay } from '../../core/delivery/pending/run-replay.ts';
import { buildRouteEvents } from '../../core/delivery/route-event.ts';
import { buildDelivering } from '../../core/delivery/sending/delivering.ts';
import { buildRetrying } from '../../core/delivery/sending/retrying.ts';
import type { PlatformEvent } from '../../core/event/event.ts';
import type { IntegrationEpoch } from '../../core/integration/integration.ts';
import { limits } from '../../lib/limits.ts';
import { eventSourcesOf } from '../../lib/stage-settings.ts';
import { readOnce } from '../../test/simulation/read-once.ts';
import type { Model } from './model.ts';
import { AFTER_MS, BEFORE_MS, portsOf } from './ports.ts';
import type { FairQueue, Message } from './queues.ts';
import { SourcePoller } from './source-poller.ts';

type Batch<Content> = readonly Message<Content>[];

/** Less than the function's timeout, as its handler has it. */
const REPLAY_MS = limits.replayTimeoutMs - 15_000;

/** The functions that queues invoke. They do what the handlers of lambdas/ do. */
const createFunctions = (model: Model) => ({
  routeEvents: (batch: Batch<PlatformEvent>) => routeEvents(batch, model),
  deliver: (batch: Batch<Delivery>, lane: Lane) => deliverAll(batch, lane, model),
  runReplay: (batch: Batch<ReplayRequest>) => runReplay(batch, model),
  retryHourly: (batch: Batch<IntegrationEpoch>) => retryHourly(batch, model),
});

const routeEvents = async (batch: Batch<PlatformEvent>, model: Model): Promise<void> => {
  const ports = portsOf(model, 'fast');
  const ofAccount = readOnce((account: string) => model.integrations.listOf(account));
  await model.clock.after(BEFORE_MS);
  const received = batch.map(({ content, receiveCount }) => ({
    event: content,
    wasReceivedBefore: receiveCount > 1,
  }));
  const { faults } = await buildRouteEvents({ ...ports, subscriptions: { ofAccount } })(received);
  for (const fault of faults.values()) throw fault;
  await model.clock.after(AFTER_MS);
  for (const message of batch) model.queues.events.delete(message);
};

/** A batch lasts as long as its slowest delivery. */
const deliverAll = async (batch: Batch<Delivery>, lane: Lane, model: Model): Promise<void> => {
  const { clock, queues } = model;
  const queue = lane === 'fast' ? queues.deliveries : queues.slowLane;
  const { deliver } = delivering(model, lane)();
  await clock.after(BEFORE_MS);
  const ended = await Promise.all(
    batch.map(async (message) => ({
      message,
      result: await deliver(queuedIn(message)),
    })),
  );
  await clock.after(AFTER_MS);
  for (const { message, result } of ended) {
    if (result.kind === 'backing-off')
      handOutAgain(message, result.nextAttemptAt, { model, queue });
    else if (result.kind === 'outdated') handOutAgain(message, clock.now(), { model, queue });
    else queue.delete(message);
  }
};

const handOutAgain = (
  message: Message<Delivery>,
  at: Date,
  { model, queue }: { model: Model; queue: FairQueue<Delivery> },
): void => {
  queue.changeVisibility(message, at.getTime() - model.clock.nowMs);
};

const queuedIn = ({ id, content, receiveCount, firstReceivedAtMs }: Message<Delivery>) => ({
  messageId: id,
  delivery: content,
  receiveCount,
  firstReceivedAt: new Date(firstReceivedAtMs),
});

const delivering = (model: Model, lane: Lane) =>
  buildDelivering(portsOf(model, lane), {
    lane,
    backoff: limits.backoff,
    busyAfter: limits.busyAfter,
    failedAfter: limits.failedAfter,
    retryIntervalMs: model.settings.stage.retryIntervalMs,
    backoffLimits: { most: limits.backoffSlots, probes: limits.probes },
  });

const runReplay = async (batch: Batch<ReplayRequest>, model: Model): Promise<void> => {
  const until = model.clock.nowMs + REPLAY_MS;
  const replay = buildRunReplay(portsOf(model, 'fast'));
  for (const message of batch) {
    await replay(message.content, () => model.clock.nowMs < until);
    await model.clock.after(BEFORE_MS);
    model.queues.replays.delete(message);
  }
};

const retryHourly = async (batch: Batch<IntegrationEpoch>, model: Model): Promise<void> => {
  const { retryHourly: retry } = buildRetrying({
    ...portsOf(model, 'fast'),
    failedAfter: limits.failedAfter,
    windowMs: limits.backoff.windowMs,
  });
  await model.clock.after(BEFORE_MS);
  await Promise.all(batch.map(({ content }) => retry(content, { messageId: content.id })));
  await model.clock.after(AFTER_MS);
  for (const message of batch) model.queues.retries.delete(message);
};

/** Has the queues of a model invoke its functions, as the event sources of its stage do. */
export const connectFunctions = (model: Model): void => {
  const { clock, queues } = model;
  const sources = eventSourcesOf(model.settings.stage);
  const { routeEvents, deliver, runReplay, retryHourly } = createFunctions(model);
  new SourcePoller(clock, queues.events, { ...sources.events, invoke: routeEvents });
  new SourcePoller(clock, queues.deliveries, {
    ...sources.deliveries,
    invoke: (batch) => deliver(batch, 'fast'),
  });
  new SourcePoller(clock, queues.slowLane, {
    ...sources.slowLane,
    invoke: (batch) => deliver(batch, 'slow'),
  });
  new SourcePoller(clock, queues.replays, { ...sources.replays, invoke: runReplay });
  new SourcePoller(clock, queues.retries, { ...sources.retries, invoke: retryHourly });
};
