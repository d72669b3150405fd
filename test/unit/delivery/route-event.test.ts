import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../../core/delivery/delivery.ts';
import type { DeliveryLog } from '../../../core/delivery/delivery-log.ts';
import type { DeliveryQueue } from '../../../core/delivery/delivery-queue.ts';
import { buildRouteEvent, createDelivery } from '../../../core/delivery/route-event.ts';
import { UnroutableEvent } from '../../../core/event/event.ts';
import { EVENT_TYPES } from '../../../core/event/event-types.ts';
import { subscribedTo } from '../../../core/integration/integration.ts';
import { createBarrier } from '../../support/barrier.ts';
import { InMemoryDeliveryLog } from '../../support/delivery/in-memory-delivery-log.ts';
import { InMemoryDeliveryQueue } from '../../support/delivery/in-memory-delivery-queue.ts';
import { anEvent } from '../../support/event/platform-events.ts';
import { InMemoryIntegrations } from '../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../support/integration/integrations.ts';
import { untouchable } from '../../support/untouchable.ts';

const listing = (...integrations: ReturnType<typeof anIntegration>[]) => {
  const store = new InMemoryIntegrations(...integrations);
  return (account: string) => store.listOf(account);
};

const NONE_SLOW = {
  slowLane: untouchable<DeliveryQueue>('the slow lane'),
  now: () => new Date('2026-11-20T12:00:00.000Z'),
};

describe('routing an event', () => {
  it('makes a delivery for each integration that is active and subscribed to its type', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const actions = { actions: subscribedTo('message.failed') };
    const deliveryLog = new InMemoryDeliveryLog();
    const { integrations } = await buildRouteEvent({ ...NONE_SLOW, deliveries, deliveryLog })(
      anEvent(),
      listing(
        anIntegration({ id: 'aaaaaaaaaaaa' }),
        anIntegration({ id: 'bbbbbbbbbbbb', active: false }),
        anIntegration({ id: 'cccccccccccc', settings: actions }),
        anIntegration({ id: 'dddddddddddd' }),
        anIntegration({ id: 'eeeeeeeeeeee', account: 'globex' }),
      ),
    );
    expect(integrations).toEqual(['aaaaaaaaaaaa', 'dddddddddddd']);
    const routed = deliveries.deliveries;
    expect(routed.map(({ integration }) => integration)).toEqual(integrations);
    expect(routed[0]).toEqual(createDelivery(anEvent(), 'aaaaaaaaaaaa'));
    const { body: _body, trigger: _trigger, priorAttempts: _attempts, ...listed } = routed[0] ?? {};
    expect(deliveryLog.deliveries).toEqual([listed, { ...listed, integration: 'dddddddddddd' }]);
  });

  it('goes to the slow lane for an integration whose endpoint was slow within the hour', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const slowLane = new InMemoryDeliveryQueue();
    const deliveryLog = new InMemoryDeliveryLog();
    const { integrations } = await buildRouteEvent({
      ...NONE_SLOW,
      deliveries,
      slowLane,
      deliveryLog,
    })(
      anEvent(),
      listing(
        anIntegration({ id: 'aaaaaaaaaaaa' }),
        anIntegration({ id: 'bbbbbbbbbbbb', slowAt: '2026-11-20T11:00:00.001Z' }),
        anIntegration({ id: 'cccccccccccc', slowAt: '2026-11-20T11:00:00.000Z' }),
      ),
    );
    const idsIn = (queue: InMemoryDeliveryQueue) =>
      queue.deliveries.map(({ integration }) => integration);
    expect(integrations).toEqual(['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc']);
    expect(idsIn(deliveries)).toEqual(['aaaaaaaaaaaa', 'cccccccccccc']);
    expect(idsIn(slowLane)).toEqual(['bbbbbbbbbbbb']);
    expect(deliveryLog.deliveries).toHaveLength(3);
  });

  it.each(EVENT_TYPES)('reaches who subscribed to %s, and to it alone', async (type) => {
    const deliveries = new InMemoryDeliveryQueue();
    const deliveryLog = new InMemoryDeliveryLog();
    const subscriptions = EVENT_TYPES.map((subscribed) =>
      anIntegration({ id: subscribed, settings: { actions: subscribedTo(subscribed) } }),
    );
    await buildRouteEvent({ ...NONE_SLOW, deliveries, deliveryLog })(
      anEvent({ type }),
      listing(...subscriptions),
    );
    expect(deliveries.deliveries.map(({ integration }) => integration)).toEqual([type]);
  });

  it('touches nothing when nobody wants the event', async () => {
    const routeEvent = buildRouteEvent({
      ...NONE_SLOW,
      deliveries: untouchable<DeliveryQueue>('the deliveries queue'),
      deliveryLog: untouchable<Pick<DeliveryLog, 'open'>>('the delivery log'),
    });
    const nothing = { integrations: [] };
    expect(await routeEvent(anEvent(), listing())).toEqual(nothing);
    const inactive = listing(anIntegration({ active: false }));
    expect(await routeEvent(anEvent(), inactive)).toEqual(nothing);
  });

  it('still reaches an integration that is failed or busy: what becomes of it is decided later', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const deliveryLog = new InMemoryDeliveryLog();
    const trouble = {
      kind: 'failed',
      since: '2026-11-20T12:00:00.000Z',
      lastAttemptAt: '2026-11-20T12:00:00.000Z',
      nextAttemptAt: '2026-11-20T13:00:00.000Z',
    } as const;
    await buildRouteEvent({ ...NONE_SLOW, deliveries, deliveryLog })(
      anEvent(),
      listing(anIntegration({ trouble })),
    );
    expect(deliveries.deliveries).toHaveLength(1);
  });

  it('finds an event unroutable that is too large, and enqueues none of its deliveries', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const deliveryLog = untouchable<Pick<DeliveryLog, 'open'>>('the delivery log');
    const data = { text: 'x'.repeat(1_048_576) };
    const routing = buildRouteEvent({ ...NONE_SLOW, deliveries, deliveryLog })(
      anEvent({ data }),
      listing(anIntegration()),
    );
    await expect(routing).rejects.toThrow(UnroutableEvent);
    await expect(routing).rejects.toThrow('the event is too large to be delivered');
    expect(deliveries.deliveries).toEqual([]);
  });

  it.each(['listing', 'enqueueing'])('fails as it is when %s fails', async (step) => {
    const fault = new Error('throttled');
    const deliveries: DeliveryQueue = {
      fits: () => true,
      enqueue: () => Promise.reject(fault),
    };
    const deliveryLog = new InMemoryDeliveryLog();
    const list = step === 'listing' ? () => Promise.reject(fault) : listing(anIntegration());
    await expect(
      buildRouteEvent({ ...NONE_SLOW, deliveries, deliveryLog })(anEvent(), list),
    ).rejects.toBe(fault);
  });

  it('routes as ever when the delivery log cannot be written, and tells why it is not', async () => {
    const listingFault = new Error('throttled');
    const deliveries = new InMemoryDeliveryQueue();
    const deliveryLog: Pick<DeliveryLog, 'open'> = { open: () => Promise.reject(listingFault) };
    const routeEvent = buildRouteEvent({ ...NONE_SLOW, deliveries, deliveryLog });
    const routed = await routeEvent(anEvent(), listing(anIntegration()));
    expect(routed).toEqual({ integrations: ['0123456789Ab'], listingFault });
    expect(deliveries.deliveries).toHaveLength(1);
  });

  it('does not wait for the delivery log again once it has failed', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    let opened = 0;
    const deliveryLog: Pick<DeliveryLog, 'open'> = {
      open: async () => {
        opened += 1;
        throw new Error('throttled');
      },
    };
    const event = anEvent({ data: { text: 'x'.repeat(1_000_000) } });
    await buildRouteEvent({ ...NONE_SLOW, deliveries, deliveryLog })(
      event,
      listing(...manyIntegrations(10)),
    );
    expect(deliveries.deliveries).toHaveLength(10);
    expect(opened).toBe(1);
  });
});

const manyIntegrations = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    anIntegration({ id: String(index).padStart(12, '0') }),
  );

/** Counts the bytes of the deliveries with which calls are under way. */
const countingBytes = () => {
  const held = { now: 0, most: 0 };
  const call = async (deliveries: readonly Delivery[]): Promise<void> => {
    const bytes = deliveries.reduce((sum, { body }) => sum + body.length, 0);
    held.now += bytes;
    held.most = Math.max(held.most, held.now);
    await nextTurn();
    held.now -= bytes;
  };
  return { held, call };
};

describe('routing the largest events to as many integrations as an account may have', () => {
  // Lambda invokes a function with 6 MB at most.
  it('has 8 MiB of bodies in memory at once, whatever the batch', async () => {
    const queue = countingBytes();
    const log = countingBytes();
    const enqueued = new Set<string>();
    const routeEvent = buildRouteEvent({
      ...NONE_SLOW,
      deliveries: {
        fits: () => true,
        enqueue: async (deliveries) => {
          for (const { event, integration } of deliveries) enqueued.add(event.id + integration);
          await queue.call(deliveries);
        },
      },
      deliveryLog: { open: log.call },
    });
    const data = { text: 'x'.repeat(1_048_000) };
    const events = Array.from({ length: 6 }, (_, index) => anEvent({ id: `evt_${index}`, data }));
    await Promise.all(events.map((event) => routeEvent(event, listing(...manyIntegrations(100)))));

    expect(enqueued.size).toBe(600);
    expect(queue.held.most).toBeLessThanOrEqual(8 * 1_048_576);
    expect(log.held.most).toBeLessThanOrEqual(8 * 1_048_576);
  });

  it('routes small events of a batch in one page each, side by side', async () => {
    const bothEnqueued = createBarrier(2);
    const pages: number[] = [];
    const routeEvent = buildRouteEvent({
      ...NONE_SLOW,
      deliveries: {
        fits: () => true,
        enqueue: async (deliveries) => {
          pages.push(deliveries.length);
          await bothEnqueued();
        },
      },
      deliveryLog: new InMemoryDeliveryLog(),
    });
    const events = [anEvent({ id: 'evt_1' }), anEvent({ id: 'evt_2' })];
    await Promise.all(events.map((event) => routeEvent(event, listing(...manyIntegrations(100)))));
    expect(pages).toEqual([100, 100]);
  });
});
