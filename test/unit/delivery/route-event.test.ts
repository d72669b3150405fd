import { describe, expect, it } from 'vitest';
import type { DeliveryLog } from '../../../core/delivery/delivery-log.ts';
import type { DeliveryQueue } from '../../../core/delivery/delivery-queue.ts';
import { buildRouteEvent, createDelivery } from '../../../core/delivery/route-event.ts';
import { UnroutableEvent } from '../../../core/event/event.ts';
import { EVENT_TYPES } from '../../../core/event/event-types.ts';
import { subscribedTo } from '../../../core/integration/integration.ts';
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

describe('routing an event', () => {
  it('makes a delivery for each integration that is active and subscribed to its type', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const actions = { actions: subscribedTo('message.failed') };
    const deliveryLog = new InMemoryDeliveryLog();
    const { deliveries: routed } = await buildRouteEvent({ deliveries, deliveryLog })(
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
    const { body: _body, trigger: _trigger, priorAttempts: _attempts, ...listed } = routed[0] ?? {};
    expect(deliveryLog.deliveries).toEqual([listed, { ...listed, integration: 'dddddddddddd' }]);
  });

  it.each(EVENT_TYPES)('reaches who subscribed to %s, and to it alone', async (type) => {
    const deliveries = new InMemoryDeliveryQueue();
    const deliveryLog = new InMemoryDeliveryLog();
    const subscriptions = EVENT_TYPES.map((subscribed) =>
      anIntegration({ id: subscribed, settings: { actions: subscribedTo(subscribed) } }),
    );
    await buildRouteEvent({ deliveries, deliveryLog })(
      anEvent({ type }),
      listing(...subscriptions),
    );
    expect(deliveries.deliveries.map(({ integration }) => integration)).toEqual([type]);
  });

  it('touches nothing when nobody wants the event', async () => {
    const routeEvent = buildRouteEvent({
      deliveries: untouchable<DeliveryQueue>('the deliveries queue'),
      deliveryLog: untouchable<Pick<DeliveryLog, 'open'>>('the delivery log'),
    });
    const nothing = { deliveries: [] };
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
    await buildRouteEvent({ deliveries, deliveryLog })(
      anEvent(),
      listing(anIntegration({ trouble })),
    );
    expect(deliveries.deliveries).toHaveLength(1);
  });

  it('finds an event unroutable that is too large, and enqueues none of its deliveries', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const deliveryLog = untouchable<Pick<DeliveryLog, 'open'>>('the delivery log');
    const data = { text: 'x'.repeat(1_048_576) };
    const routing = buildRouteEvent({ deliveries, deliveryLog })(
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
    await expect(buildRouteEvent({ deliveries, deliveryLog })(anEvent(), list)).rejects.toBe(fault);
  });

  it('routes as ever when the delivery log cannot be written, and tells why it is not', async () => {
    const listingFault = new Error('throttled');
    const deliveries = new InMemoryDeliveryQueue();
    const deliveryLog: Pick<DeliveryLog, 'open'> = { open: () => Promise.reject(listingFault) };
    const routeEvent = buildRouteEvent({ deliveries, deliveryLog });
    const routed = await routeEvent(anEvent(), listing(anIntegration()));
    expect(routed).toEqual({ deliveries: deliveries.deliveries, listingFault });
    expect(deliveries.deliveries).toHaveLength(1);
  });
});
