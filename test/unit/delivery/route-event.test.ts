import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../../core/delivery/delivery.ts';
import { type DeliveryQueue, NotEnqueued } from '../../../core/delivery/delivery-queue.ts';
import {
  buildRouteEvents,
  createDelivery,
  MAX_BODY_BYTES,
  type ReceivedEvent,
} from '../../../core/delivery/route-event.ts';
import { type PlatformEvent, UnroutableEvent } from '../../../core/event/event.ts';
import { MAX_STEPS } from '../../../core/event/filter-evaluation.ts';
import type { Subscriptions } from '../../../core/integration/integration-store.ts';
import { subscribedTo, type WhileInactive } from '../../../core/integration/settings.ts';
import { InMemoryDeliveryQueue } from '../../support/delivery/in-memory-delivery-queue.ts';
import { troubled } from '../../support/delivery/trouble/troubled.ts';
import { eventWithBodyOf } from '../../support/event/body-sizes.ts';
import { anEvent } from '../../support/event/platform-events.ts';
import { InMemoryIntegrations } from '../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../support/integration/integrations.ts';
import { untouchable } from '../../support/untouchable.ts';

const listing = (...integrations: ReturnType<typeof anIntegration>[]) => {
  const store = new InMemoryIntegrations(...integrations);
  return (account: string) => store.listOf(account);
};

const received = (overrides: Partial<PlatformEvent> = {}): ReceivedEvent => ({
  event: anEvent(overrides),
  wasReceivedBefore: false,
});

const receivedAgain = (overrides: Partial<PlatformEvent> = {}): ReceivedEvent => ({
  ...received(overrides),
  wasReceivedBefore: true,
});

const aRouter = ({
  deliveries = new InMemoryDeliveryQueue() as DeliveryQueue,
  slowLane = untouchable<DeliveryQueue>('the slow lane'),
} = {}) => {
  const ports = { deliveries, slowLane, now: () => new Date('2026-11-20T12:00:00.000Z') };
  return (events: readonly ReceivedEvent[], ofAccount: Subscriptions['ofAccount']) =>
    buildRouteEvents({ ...ports, subscriptions: { ofAccount } })(events);
};

const idsIn = (queue: InMemoryDeliveryQueue) =>
  queue.deliveries.map(({ integration }) => integration);

/** In the slow lane, as noted last at an instant. */
const slow = (notedAt: string) => ({ score: 100_000, notedAt });

const NO_FAULTS = new Map();

const NOTHING_FOUND = { unwanted: [], filtered: [], unfiltered: [] };

describe('routing an event', () => {
  it('makes a delivery for each active integration subscribed to the type', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const { settings } = anIntegration();
    const another = { ...settings, actions: subscribedTo('message.failed') };
    const result = await aRouter({ deliveries })(
      [received()],
      listing(
        anIntegration({ id: 'aaaaaaaaaaaa' }),
        anIntegration({ id: 'bbbbbbbbbbbb', active: false }),
        anIntegration({ id: 'cccccccccccc', settings: another }),
        anIntegration({ id: 'dddddddddddd' }),
        anIntegration({ id: 'eeeeeeeeeeee', account: 'globex' }),
      ),
    );
    expect(result).toEqual({
      routed: [{ event: anEvent(), deliveries: 2 }],
      ...NOTHING_FOUND,
      faults: NO_FAULTS,
    });
    expect(deliveries.deliveries).toEqual([
      createDelivery(anEvent(), 'aaaaaaaaaaaa'),
      createDelivery(anEvent(), 'dddddddddddd'),
    ]);
  });

  it.each([
    ['keeps', 'a millisecond before', '2026-11-20T13:00:00.001+01:00', 1],
    ['leaves out', 'at the moment', '2026-11-20T13:00:00.000+01:00', 0],
  ])('%s an event that happened %s its webhook became inactive', async (_does, _when, at, made) => {
    const deliveries = new InMemoryDeliveryQueue();
    const inactive = anIntegration({ active: false, inactiveSince: new Date(at).toISOString() });
    const { routed } = await aRouter({ deliveries })(
      [received({ occurredAt: '2026-11-20T13:00:00.000+01:00' })],
      listing(inactive),
    );
    expect(routed).toHaveLength(made);
    expect(deliveries.deliveries).toHaveLength(made);
  });

  it('leaves out an event of a type that an inactive webhook does not want', async () => {
    const routeEvents = aRouter({
      deliveries: untouchable<DeliveryQueue>('the deliveries queue'),
    });
    const inactive = anIntegration({ active: false, inactiveSince: '2026-11-21T12:00:00.000Z' });
    const { routed } = await routeEvents([received({ type: 'message.failed' })], listing(inactive));
    expect(routed).toEqual([]);
  });

  it('uses the slow lane for an endpoint that was slow within the hour', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const slowLane = new InMemoryDeliveryQueue();
    const { routed } = await aRouter({ deliveries, slowLane })(
      [received()],
      listing(
        anIntegration({ id: 'aaaaaaaaaaaa' }),
        anIntegration({ id: 'bbbbbbbbbbbb', slowness: slow('2026-11-20T11:50:00.001Z') }),
        anIntegration({ id: 'cccccccccccc', slowness: slow('2026-11-20T11:50:00.000Z') }),
      ),
    );
    expect(routed).toMatchObject([{ deliveries: 3 }]);
    expect(idsIn(deliveries)).toEqual(['aaaaaaaaaaaa', 'cccccccccccc']);
    expect(idsIn(slowLane)).toEqual(['bbbbbbbbbbbb']);
  });

  it.each([
    [10, 'the fast lane'],
    [11, 'the slow lane'],
  ])('sends an event for %i webhooks through %s', async (count, lane) => {
    const queues = {
      deliveries: new InMemoryDeliveryQueue(),
      slowLane: new InMemoryDeliveryQueue(),
    };
    const webhooks = Array.from({ length: count }, (_, index) =>
      anIntegration({ id: `${index}`.padStart(12, '0') }),
    );
    await aRouter(queues)([received()], listing(...webhooks));
    const [used, other] =
      lane === 'the fast lane'
        ? [queues.deliveries, queues.slowLane]
        : [queues.slowLane, queues.deliveries];
    expect(idsIn(used)).toHaveLength(count);
    expect(idsIn(other)).toEqual([]);
  });

  it('touches nothing when nobody wants the event', async () => {
    const routeEvents = aRouter({
      deliveries: untouchable<DeliveryQueue>('the deliveries queue'),
    });
    const nothing = (hasIntegrations: boolean) => ({
      routed: [],
      ...NOTHING_FOUND,
      unwanted: [{ event: anEvent(), hasIntegrations }],
      faults: NO_FAULTS,
    });
    expect(await routeEvents([received()], listing())).toEqual(nothing(false));
    const inactive = listing(anIntegration({ active: false }));
    expect(await routeEvents([received()], inactive)).toEqual(nothing(true));
  });

  it('makes none for a filter that does not match, and names the integration', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const { settings } = anIntegration();
    const filteredBy = (id: string, filter: string) =>
      anIntegration({ id, settings: { ...settings, filter } });
    const routeEvents = aRouter({ deliveries });
    const to = (number: string) => received({ data: { message: { to: number } } });
    const result = await routeEvents(
      [to('+1303'), to('+1720')],
      listing(
        filteredBy('aaaaaaaaaaaa', '{"message":{"to":["+1303"]}}'),
        filteredBy('bbbbbbbbbbbb', '{"message":{"to":[{"prefix":"+44"}]}}'),
        filteredBy('cccccccccccc', '{"message":{"to":[{"operator of a later version":1}]}}'),
        filteredBy('dddddddddddd', 'no JSON'),
      ),
    );
    const sent = ['aaaaaaaaaaaa', 'cccccccccccc', 'dddddddddddd', 'cccccccccccc', 'dddddddddddd'];
    expect(idsIn(deliveries)).toEqual(sent);
    expect(result.filtered.map(({ id }) => id)).toEqual([
      'bbbbbbbbbbbb',
      'aaaaaaaaaaaa',
      'bbbbbbbbbbbb',
    ]);
    expect(result.unfiltered.map(({ integration }) => integration.id)).toEqual(
      sent.filter((id) => id !== 'aaaaaaaaaaaa'),
    );
    expect(result.unwanted).toEqual([]);
  });

  it('bounds the filters of each event, and sends what is beyond', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const { settings } = anIntegration();
    const filtered = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc'].map((id) =>
      anIntegration({ id, settings: { ...settings, filter: '{"a":["x"]}' } }),
    );
    const large = received({ id: 'evt_1', data: { a: Array(MAX_STEPS * 0.3).fill(1) } });
    const usual = received({ id: 'evt_2', data: { a: 1 } });
    const result = await aRouter({ deliveries })([large, usual], listing(...filtered));
    // The body of the large event is too large.
    expect(result.filtered).toHaveLength(3);
    expect(result.unfiltered.map(({ integration }) => integration.id)).toEqual([
      'bbbbbbbbbbbb',
      'cccccccccccc',
    ]);
  });

  it('counts an event that every filter keeps back as unwanted', async () => {
    const { settings } = anIntegration();
    const filter = '{"message":{"to":["another"]}}';
    const { unwanted, filtered } = await aRouter({
      deliveries: untouchable<DeliveryQueue>('the deliveries queue'),
    })([received()], listing(anIntegration({ settings: { ...settings, filter } })));
    expect(unwanted).toEqual([{ event: anEvent(), hasIntegrations: true }]);
    expect(filtered).toEqual([{ account: 'acme', id: anIntegration().id }]);
  });

  it('names no filter that kept back an event with a fault: it is routed again', async () => {
    const { settings } = anIntegration();
    const filter = '{"message":{"to":["another"]}}';
    const deliveries: DeliveryQueue = {
      enqueue: async () => {
        throw new Error('The queue is away.');
      },
    };
    const result = await aRouter({ deliveries })(
      [received()],
      listing(
        anIntegration({ id: 'aaaaaaaaaaaa' }),
        anIntegration({ id: 'bbbbbbbbbbbb', settings: { ...settings, filter } }),
      ),
    );
    expect(result.faults.size).toBe(1);
    expect(result.filtered).toEqual([]);
  });

  it('makes one for an inactive integration that keeps events, to be stored', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const { settings } = anIntegration();
    const inactive = (id: string, whileInactive?: WhileInactive) =>
      anIntegration({
        id,
        active: false,
        inactiveSince: '2026-11-20T10:00:00.000Z',
        settings: { ...settings, whileInactive },
      });
    await aRouter({ deliveries })(
      [received({ occurredAt: '2026-11-20T11:00:00.000Z' })],
      listing(
        inactive('aaaaaaaaaaaa', 'keep'),
        inactive('bbbbbbbbbbbb', 'discard'),
        inactive('cccccccccccc'),
      ),
    );
    expect(idsIn(deliveries)).toEqual(['aaaaaaaaaaaa']);
  });

  it('routes to failed and busy integrations as to others', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    await aRouter({ deliveries })([received()], listing(troubled('failed')));
    expect(deliveries.deliveries).toHaveLength(1);
  });

  it('tells of the deliveries that an earlier receive may have enqueued', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const slowLane = new InMemoryDeliveryQueue();
    await aRouter({ deliveries, slowLane })(
      [received({ id: 'evt_1' }), receivedAgain({ id: 'evt_2' })],
      listing(
        anIntegration({ id: 'aaaaaaaaaaaa' }),
        anIntegration({ id: 'bbbbbbbbbbbb', slowness: slow('2026-11-20T11:59:00.000Z') }),
      ),
    );
    const again = createDelivery(anEvent({ id: 'evt_2' }), 'aaaaaaaaaaaa');
    expect(deliveries.deliveries).toEqual([
      createDelivery(anEvent({ id: 'evt_1' }), 'aaaaaaaaaaaa'),
      { ...again, trigger: 'rerouted' },
    ]);
    expect(slowLane.deliveries.map(({ trigger }) => trigger)).toEqual(['event', 'rerouted']);
  });
});

/** Does with each call what it is told, and keeps which deliveries the calls had. */
const queueThat = (answer: (deliveries: readonly Delivery[]) => void) => {
  const calls: (readonly Delivery[])[] = [];
  const queue: DeliveryQueue = {
    enqueue: async (deliveries) => {
      calls.push(deliveries);
      answer(deliveries);
    },
  };
  return { queue, calls };
};

const refusing =
  (...integrations: readonly string[]) =>
  (deliveries: readonly Delivery[]): void => {
    const refused = deliveries.filter(({ integration }) => integrations.includes(integration));
    const faults = new Map(refused.map((delivery) => [delivery, `no ${delivery.integration}`]));
    if (faults.size > 0) throw new NotEnqueued(faults, { of: deliveries.length });
  };

describe('routing the events of a batch', () => {
  const [toAcme, toGlobex] = [received({ id: 'evt_a' }), received({ account: 'globex' })];
  const acme = anIntegration({ id: 'aaaaaaaaaaaa' });
  const globex = anIntegration({ id: 'gggggggggggg', account: 'globex' });

  it('enqueues the deliveries of all events in one call', async () => {
    const { queue, calls } = queueThat(() => {});
    const events = Array.from({ length: 10 }, (_, index) => received({ id: `evt_${index}` }));
    const { routed } = await aRouter({ deliveries: queue })(
      events,
      listing(acme, anIntegration({ id: 'bbbbbbbbbbbb' })),
    );
    expect(calls.map(({ length }) => length)).toEqual([20]);
    expect(routed).toEqual(events.map(({ event }) => ({ event, deliveries: 2 })));
  });

  it('finds an event with a body of more than 256 KiB unroutable', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const tooLarge = received(eventWithBodyOf(MAX_BODY_BYTES + 1));
    const { routed, faults } = await aRouter({ deliveries })(
      [tooLarge, toGlobex],
      listing(acme, globex),
    );
    expect([...faults]).toEqual([
      [
        tooLarge,
        new UnroutableEvent('the webhook body has 262145 bytes, and at most 262144 are delivered'),
      ],
    ]);
    expect(faults.get(tooLarge)).toBeInstanceOf(UnroutableEvent);
    expect(routed).toEqual([{ event: toGlobex.event, deliveries: 1 }]);
    expect(idsIn(deliveries)).toEqual(['gggggggggggg']);
  });

  it('delivers an event whose webhook body has exactly 256 KiB', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const largest = received(eventWithBodyOf(MAX_BODY_BYTES));
    const { faults } = await aRouter({ deliveries })([largest], listing(acme));
    expect(faults).toEqual(NO_FAULTS);
    expect(deliveries.deliveries.map(({ body }) => Buffer.byteLength(body))).toEqual([262_144]);
  });

  it('counts the bytes of a webhook body, not its characters', async () => {
    const text = 'é'.repeat(MAX_BODY_BYTES / 2);
    const { faults } = await aRouter()([received({ data: { text } })], listing(acme));
    expect([...faults.values()]).toEqual([expect.any(UnroutableEvent)]);
  });

  it('fails the events of an account that cannot be read, and no others', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const fault = new Error('throttled');
    const list = (account: string) =>
      account === 'acme' ? Promise.reject(fault) : listing(globex)(account);
    const { routed, faults } = await aRouter({ deliveries })([toAcme, toGlobex], list);
    expect([...faults]).toEqual([[toAcme, fault]]);
    expect(routed).toEqual([{ event: toGlobex.event, deliveries: 1 }]);
    expect(idsIn(deliveries)).toEqual(['gggggggggggg']);
  });

  it('fails the events of deliveries that were not enqueued, and no others', async () => {
    const { queue } = queueThat(refusing('aaaaaaaaaaaa'));
    const { routed, faults } = await aRouter({ deliveries: queue })(
      [toAcme, toGlobex],
      listing(acme, anIntegration({ id: 'bbbbbbbbbbbb' }), globex),
    );
    expect([...faults]).toEqual([[toAcme, 'no aaaaaaaaaaaa']]);
    expect(routed).toEqual([{ event: toGlobex.event, deliveries: 1 }]);
  });

  it('fails the events of the slow lane alone when it takes nothing', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const fault = new Error('no such queue');
    const { queue: slowLane } = queueThat(() => {
      throw fault;
    });
    const slowness = slow('2026-11-20T11:59:00.000Z');
    const { routed, faults } = await aRouter({ deliveries, slowLane })(
      [toAcme, toGlobex],
      listing(anIntegration({ id: 'aaaaaaaaaaaa', slowness }), globex),
    );
    expect([...faults]).toEqual([[toAcme, fault]]);
    expect(routed).toEqual([{ event: toGlobex.event, deliveries: 1 }]);
  });
});

const MIB = 1_048_576;

describe('routing the largest events to a full account', () => {
  const many = listing(
    ...Array.from({ length: 100 }, (_, index) =>
      anIntegration({ id: String(index).padStart(12, '0') }),
    ),
  );
  // As many as a batch has.
  const events = Array.from({ length: 10 }, (_, index) =>
    received(eventWithBodyOf(MAX_BODY_BYTES, { id: `evt_${index}` })),
  );

  it('enqueues at most 8 MiB of bodies at once, and so fills the calls', async () => {
    const { queue, calls } = queueThat(() => {});
    const { routed } = await aRouter({ slowLane: queue })(events, many);
    expect(routed.map(({ deliveries }) => deliveries)).toEqual(events.map(() => 100));
    const sizes = calls.map((page) => page.reduce((sum, { body }) => sum + body.length, 0));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(8 * MIB);
    expect(calls.map(({ length }) => length)).toEqual([...Array(31).fill(32), 8]);
  });

  it('makes no more deliveries of an event after one was not enqueued', async () => {
    const { queue, calls } = queueThat(refusing('000000000003'));
    const { routed, faults } = await aRouter({ slowLane: queue })(events, many);
    expect(routed).toEqual([]);
    expect(faults.size).toBe(10);
    expect(calls.map(({ length }) => length)).toEqual(Array(10).fill(32));
  });
});
