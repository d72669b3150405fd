import { classify } from '../../core/delivery/attempt.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { DeliveryQueue } from '../../core/delivery/delivery-queue.ts';
import { type Lane, SLOW_AFTER_MS } from '../../core/delivery/lanes.ts';
import type { ReplayRequests } from '../../core/delivery/pending/replay-requests.ts';
import type { WebhookEndpoint } from '../../core/delivery/sending/make-attempt.ts';
import { numberAt } from './customers.ts';
import { eventNumberIn, type Model } from './model.ts';
import type { FairQueue } from './queues.ts';
import { countedStates } from './stores.ts';

/**
 * What the calls of AWS take, charged once for an invocation: before its work it reads, and after
 * it writes. Together 15 ms, as docs/operators/capacity.md takes it.
 */
export const BEFORE_MS = 5;
export const AFTER_MS = 10;

/** One run replays 3,500 events a second, measured with the latencies of a region. */
const ENQUEUE_MS = 1_000 / 3_500;

/** Bodies would take most of the memory of a run. */
const BODY = '{}';

/** The ports of one invocation. */
export const portsOf = (model: Model, lane: Lane) => {
  const { clock, random, integrations, schedules, settings } = model;
  const { retryIntervalMs } = settings.stage;
  const states = countedStates(integrations, model);
  const replays = replaysOf(model);
  const { now } = clock;
  return {
    now,
    random: () => random.next(),
    integrations,
    states,
    slots: model.slots,
    pendingEvents: model.pendingEvents,
    setAsideEvents: model.setAsideEvents,
    deliveryLog: model.deliveryLog,
    replays,
    schedules,
    retryIntervalMs,
    afterStoring: { integrations, replays },
    endpoint: endpointOf(model, lane),
    secrets: { open: async () => 'never asked: no secret of the model is sealed' },
    userAgent: 'Service-Webhooks/simulated',
    deliveries: deliveryQueueOf(model, model.queues.deliveries),
    slowLane: deliveryQueueOf(model, model.queues.slowLane),
    isSlow: isSlowOf(model),
    pause: (milliseconds: number) => clock.after(milliseconds),
    wait: (milliseconds: number) => clock.after(milliseconds),
  };
};

const endpointOf = (
  { clock, random, measures, settings, startsAtMs }: Model,
  lane: Lane,
): WebhookEndpoint => ({
  post: async ({ url, headers }) => {
    const integration = numberAt(url);
    const event = eventNumberIn(headers['webhook-id'] ?? '');
    measures.begun(event, lane);
    const { result, tookMs } = settings.population.behaviourOf(integration)({
      event,
      atMs: clock.nowMs - startsAtMs,
      random,
    });
    await clock.after(tookMs);
    measures.ended(integration, { lane, isDelivered: classify(result).class === 'delivered' });
    return result;
  },
});

const deliveryQueueOf = ({ clock }: Model, queue: FairQueue<Delivery>): DeliveryQueue => ({
  enqueue: async (deliveries) => {
    await clock.after(Math.max(BEFORE_MS, deliveries.length * ENQUEUE_MS));
    for (const delivery of deliveries) {
      queue.send({ ...delivery, body: BODY }, { group: delivery.account });
    }
  },
});

/** A request that is put off does not hold up the others of its integration here. */
const replaysOf = ({ clock, queues }: Model): ReplayRequests => ({
  request: async ({ account, id }, options) => {
    const send = () => queues.replays.send({ ...options, account, id }, { group: id });
    const delayMs = (options?.notBefore?.getTime() ?? 0) - clock.nowMs;
    if (delayMs > 0) clock.schedule(delayMs, send);
    else send();
  },
});

/** As `isSlow` of lambdas/_runtime/, in virtual time. */
const isSlowOf =
  ({ clock }: Model) =>
  async (attempt: Promise<unknown>): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = clock.schedule(SLOW_AFTER_MS, () => resolve(true));
    const ended = attempt.then(() => false);
    return Promise.race([promise, ended]).finally(() => {
      timer.fire = undefined;
    });
  };
