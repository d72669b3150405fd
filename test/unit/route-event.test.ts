import { describe, expect, it } from 'vitest';
import { createDelivery } from '../../core/delivery/delivery.ts';
import { UnroutableEvent } from '../../core/events/event.ts';
import { EVENT_TYPES } from '../../core/events/event-type.ts';
import { createRouteEvent, type DeliveryQueue } from '../../core/events/route-event.ts';
import { InMemoryDeliveryQueue } from '../support/in-memory-delivery-queue.ts';
import { InMemoryIntegrations } from '../support/in-memory-integrations.ts';
import { anIntegration, subscribedTo } from '../support/integrations.ts';
import { anEvent } from '../support/platform-events.ts';
import { untouchable } from '../support/untouchable.ts';

const listing = (...integrations: ReturnType<typeof anIntegration>[]) => {
  const store = new InMemoryIntegrations(...integrations);
  return (account: string) => store.listOf(account);
};

describe('routing an event', () => {
  it('makes a delivery for each integration that is active and subscribed to its type', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const actions = { actions: subscribedTo('message.failed') };
    const routed = await createRouteEvent({ deliveries })(
      anEvent(),
      listing(
        anIntegration({ id: 'aaaaaaaaaaaa' }),
        anIntegration({ id: 'bbbbbbbbbbbb', active: false }),
        anIntegration({ id: 'cccccccccccc', settings: actions }),
        anIntegration({ id: 'dddddddddddd' }),
        anIntegration({ id: 'eeeeeeeeeeee', account: 'globex' }),
      ),
    );
    expect(routed.map(({ integration }) => integration)).toEqual(['aaaaaaaaaaaa', 'dddddddddddd']);
    expect(deliveries.deliveries).toEqual(routed);
    expect(routed[0]).toEqual(createDelivery(anEvent(), 'aaaaaaaaaaaa'));
  });

  it.each(EVENT_TYPES)('reaches who subscribed to %s, and to it alone', async (type) => {
    const deliveries = new InMemoryDeliveryQueue();
    const subscriptions = EVENT_TYPES.map((subscribed) =>
      anIntegration({ id: subscribed, settings: { actions: subscribedTo(subscribed) } }),
    );
    await createRouteEvent({ deliveries })(anEvent({ type }), listing(...subscriptions));
    expect(deliveries.deliveries.map(({ integration }) => integration)).toEqual([type]);
  });

  it('touches nothing when nobody wants the event', async () => {
    const routeEvent = createRouteEvent({
      deliveries: untouchable<DeliveryQueue>('the deliveries queue'),
    });
    expect(await routeEvent(anEvent(), listing())).toEqual([]);
    expect(await routeEvent(anEvent(), listing(anIntegration({ active: false })))).toEqual([]);
  });

  it('still reaches an integration that is failed or busy: what becomes of it is decided later', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const delivery = {
      kind: 'failed',
      since: '2026-11-20T12:00:00.000Z',
      lastAttemptAt: '2026-11-20T12:00:00.000Z',
      nextAttemptAt: '2026-11-20T13:00:00.000Z',
    } as const;
    await createRouteEvent({ deliveries })(anEvent(), listing(anIntegration({ delivery })));
    expect(deliveries.deliveries).toHaveLength(1);
  });

  it('finds an event unroutable that is too large, and enqueues none of its deliveries', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const data = { text: 'x'.repeat(1_048_576) };
    const routing = createRouteEvent({ deliveries })(anEvent({ data }), listing(anIntegration()));
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
    const list = step === 'listing' ? () => Promise.reject(fault) : listing(anIntegration());
    await expect(createRouteEvent({ deliveries })(anEvent(), list)).rejects.toBe(fault);
  });
});
