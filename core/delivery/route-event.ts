import { type PlatformEvent, UnroutableEvent } from '../event/event.ts';
import { stringifyForQueue } from '../event/exact-json.ts';
import { createFilterEvaluation, type EvaluateFilter } from '../event/filter-evaluation.ts';
import type { IntegrationKey } from '../integration/integration.ts';
import type { Subscription, Subscriptions } from '../integration/integration-store.ts';
import { type Delivery, deliveryId } from './delivery.ts';
import { type DeliveryQueue, NotEnqueued } from './delivery-queue.ts';
import { FAST_LANE_WEBHOOKS, type Lane, laneOf } from './lanes.ts';

export interface ReceivedEvent {
  readonly event: PlatformEvent;
  /** Whether the message was received before: its deliveries may be enqueued already. */
  readonly wasReceivedBefore: boolean;
  readonly traceparent?: string | undefined;
}

interface UnwantedEvent {
  readonly event: PlatformEvent;
  /** Whether its account has integrations: not subscribed to its type, not active, or by a filter. */
  readonly hasIntegrations: boolean;
}

export interface RoutedEvents {
  /** The events that have deliveries, and how many of each are enqueued. */
  readonly routed: readonly { event: PlatformEvent; deliveries: number }[];
  /** The events that no integration wants. */
  readonly unwanted: readonly UnwantedEvent[];
  /** The integrations whose filter an event without a fault does not match, once for each such event. */
  readonly filtered: readonly IntegrationKey[];
  /** Filters that could not be evaluated for an event, which is sent. */
  readonly unfiltered: readonly { integration: IntegrationKey; fault: unknown }[];
  /** The faults of events that were not routed, or not to all of their integrations. */
  readonly faults: ReadonlyMap<ReceivedEvent, unknown>;
}

export type RouteEvents = (events: readonly ReceivedEvent[]) => Promise<RoutedEvents>;

interface Ports {
  readonly subscriptions: Subscriptions;
  readonly deliveries: DeliveryQueue;
  readonly slowLane: DeliveryQueue;
  readonly now: () => Date;
}

/** In UTF-8. An item of DynamoDB, which holds a delivery with its body, has at most 400 KiB. */
export const MAX_BODY_BYTES = 262_144;

/** Bodies in memory. A request to the queue holds a body several times; a function has 512 MB. */
const PAGE_BYTES = 8_388_608;

/**
 * Enqueues a delivery for every subscribed integration that is active, or was when the event
 * happened, or keeps events while inactive: such deliveries become pending. Works page by page for all events. The fault of one
 * event leaves the others alone: `UnroutableEvent` if its body is too large, else the error of the
 * read or of the queue. If the process dies, the deliveries are enqueued again, with the same ids,
 * as `rerouted`.
 */
export const buildRouteEvents =
  (ports: Ports): RouteEvents =>
  async (events) => {
    const faults = new Map<ReceivedEvent, unknown>();
    const found: Found = { unwanted: [], filtered: [], unfiltered: [] };
    const evaluationOf = createFilterEvaluation();
    const planning = events.map(async (received) => {
      const evaluate = evaluationOf(received.event.data);
      try {
        return await planRoute(received, { ...ports, ...found, evaluate });
      } catch (fault) {
        faults.set(received, fault);
        return [];
      }
    });
    const routes = (await Promise.all(planning)).flat();
    for (const page of pagesOf(routes, { isGivenUp: (received) => faults.has(received) })) {
      for (const [received, fault] of await enqueuePage(page, ports)) faults.set(received, fault);
    }
    const routed = routes
      .filter(({ received }) => !faults.has(received))
      .map(({ received: { event }, integrations }) => ({
        event,
        deliveries: integrations.length,
      }));
    const filtered = found.filtered.flatMap(({ received, integration }) =>
      faults.has(received) ? [] : [integration],
    );
    return { routed, ...found, filtered, faults };
  };

interface Route {
  readonly received: ReceivedEvent;
  readonly integrations: readonly Subscription[];
  readonly createDelivery: (integration: string) => Delivery;
  /** Of the largest body. */
  readonly bytes: number;
}

type Mutable<Lists> = {
  -readonly [Name in keyof Lists]: Lists[Name] extends readonly (infer One)[] ? One[] : never;
};

/** What planning finds beside routes. */
interface Found extends Mutable<Pick<RoutedEvents, 'unwanted' | 'unfiltered'>> {
  readonly filtered: { received: ReceivedEvent; integration: IntegrationKey }[];
}

interface Evaluating {
  /** Whether a filter sends the event. */
  readonly evaluate: EvaluateFilter;
}

/** Resolves to no route if no integration wants the event, and adds it to `unwanted`. */
const planRoute = async (
  received: ReceivedEvent,
  { subscriptions, unwanted, ...rest }: Pick<Ports, 'subscriptions'> & Found & Evaluating,
): Promise<readonly Route[]> => {
  const { event } = received;
  const ofAccount = await subscriptions.ofAccount(event.account);
  const subscribed = ofAccount.filter(
    (integration) => integration.settings.actions[event.type] && isTaken(integration, event),
  );
  const integrations = subscribed.filter((integration) =>
    passesFilter(integration, received, rest),
  );
  // Bodies differ in the integration's id alone.
  const [longestId] = integrations.map(({ id }) => id).toSorted((a, b) => b.length - a.length);
  if (longestId === undefined) {
    unwanted.push({ event, hasIntegrations: ofAccount.length > 0 });
    return [];
  }
  const createDelivery = deliveriesOf(received);
  const bytes = Buffer.byteLength(createDelivery(longestId).body);
  if (bytes > MAX_BODY_BYTES) {
    throw new UnroutableEvent(
      `the webhook body has ${bytes} bytes, and at most ${MAX_BODY_BYTES} are delivered`,
    );
  }
  return [{ received, integrations, createDelivery, bytes }];
};

const passesFilter = (
  { id, settings: { filter } }: Subscription,
  received: ReceivedEvent,
  { filtered, unfiltered, evaluate }: Omit<Found, 'unwanted'> & Evaluating,
): boolean => {
  if (filter === undefined) return true;
  const integration = { account: received.event.account, id };
  const { isSent, fault } = evaluate(filter);
  if (fault !== undefined) unfiltered.push({ integration, fault });
  if (!isSent) filtered.push({ received, integration });
  return isSent;
};

/** A delivery to an inactive integration becomes pending. */
const isTaken = (
  { active, inactiveSince, settings }: Subscription,
  { occurredAt }: PlatformEvent,
): boolean =>
  active ||
  settings.whileInactive === 'keep' ||
  (inactiveSince !== undefined && Date.parse(occurredAt) < Date.parse(inactiveSince));

interface RoutedDelivery {
  readonly received: ReceivedEvent;
  readonly integration: Subscription;
  readonly isOfMany: boolean;
  readonly delivery: Delivery;
}

/** Creates the deliveries page by page, to bound the memory. */
function* pagesOf(
  routes: readonly Route[],
  { isGivenUp }: { isGivenUp: (received: ReceivedEvent) => boolean },
): Generator<readonly RoutedDelivery[]> {
  let page: RoutedDelivery[] = [];
  let free = PAGE_BYTES;
  for (const { received, integrations, createDelivery, bytes } of routes) {
    const isOfMany = integrations.length > FAST_LANE_WEBHOOKS;
    for (const integration of integrations) {
      if (bytes > free) {
        yield page;
        page = [];
        free = PAGE_BYTES;
      }
      if (isGivenUp(received)) break;
      page.push({ received, integration, isOfMany, delivery: createDelivery(integration.id) });
      free -= bytes;
    }
  }
  if (page.length > 0) yield page;
}

const enqueuePage = async (
  page: readonly RoutedDelivery[],
  { deliveries, slowLane, now }: Ports,
): Promise<ReadonlyMap<ReceivedEvent, unknown>> => {
  const at = now();
  const ofLane = (lane: Lane) =>
    page.flatMap(({ integration, isOfMany, delivery }) =>
      (isOfMany ? 'slow' : laneOf(integration, at)) === lane ? [delivery] : [],
    );
  const lanes = [enqueue(deliveries, ofLane('fast')), enqueue(slowLane, ofLane('slow'))];
  const faults = new Map((await Promise.all(lanes)).flatMap((found) => [...found]));
  return new Map(
    page.flatMap(({ received, delivery }) =>
      faults.has(delivery) ? [[received, faults.get(delivery)] as const] : [],
    ),
  );
};

const enqueue = async (
  queue: DeliveryQueue,
  deliveries: readonly Delivery[],
): Promise<ReadonlyMap<Delivery, unknown>> => {
  try {
    await queue.enqueue(deliveries);
    return new Map();
  } catch (fault) {
    if (fault instanceof NotEnqueued) return fault.faults;
    return new Map(deliveries.map((delivery) => [delivery, fault]));
  }
};

/** Returns a function that makes the deliveries of an event, whose data is serialised once. */
const deliveriesOf = ({ event, wasReceivedBefore, traceparent }: ReceivedEvent) => {
  const data = stringifyForQueue(event.data);
  return (integration: string): Delivery => ({
    account: event.account,
    integration,
    event: { id: event.id, type: event.type, occurredAt: event.occurredAt },
    body: bodyOf(event, integration, data),
    trigger: wasReceivedBefore ? 'rerouted' : 'event',
    priorAttempts: 0,
    traceparent,
  });
};

const bodyOf = (event: PlatformEvent, integration: string, data: string): string => {
  const envelope = stringifyForQueue({
    '@context': '/contexts/WebhookDelivery.jsonld',
    '@type': 'WebhookDelivery',
    id: deliveryId(integration, event.id),
    webHook: `/integrations/${integration}`,
    action: event.type,
    timestamp: event.occurredAt,
  });
  return `${envelope.slice(0, -1)},"data":${data}}`;
};

/** The delivery of an event to an integration. Its body is serialised here, once. */
export const createDelivery = (event: PlatformEvent, integration: string): Delivery =>
  deliveriesOf({ event, wasReceivedBefore: false })(integration);
