import { describe, expect, it } from 'vitest';
import type { DeliveryQueue } from '../../../../core/delivery/delivery-queue.ts';
import { placeOf } from '../../../../core/delivery/pending/pending-events.ts';
import { InMemoryDeliveryQueue } from '../../../support/delivery/in-memory-delivery-queue.ts';
import {
  always,
  aReplay,
  eventOf,
  eventsOf,
  INTEGRATION,
  timeFor,
} from '../../../support/delivery/pending/replays.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import { A_MESSAGE } from '../../../support/event/platform-events.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { untouchable } from '../../../support/untouchable.ts';

describe('replaying pending events', () => {
  it('puts them back on the queue as replays, oldest first, and has none left', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const pending = [eventOf(2), eventOf(3), eventOf(1)];
    const { replay, replays, pendingOf } = await aReplay({ deliveries, pending });
    expect(await replay(INTEGRATION, always)).toEqual({ kind: 'completed', replayed: 3 });
    expect(replays.requested).toEqual([]);
    expect(deliveries.deliveries).toEqual(
      [eventOf(1), eventOf(2), eventOf(3)].map((event) => ({ ...event, trigger: 'replay' })),
    );
    expect(pendingOf()).toEqual([]);
  });

  it('sends what was asked for by hand again as such, though it arrived before', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const pending = [eventOf(1), { ...eventOf(2), trigger: 'manual' as const }];
    const { replay } = await aReplay({ deliveries, pending });
    await replay(INTEGRATION, always);
    expect(deliveries.deliveries.map(({ trigger }) => trigger)).toEqual(['replay', 'manual']);
  });

  it('has nothing to do when nothing is pending', async () => {
    const deliveries = untouchable<DeliveryQueue>('the deliveries queue');
    const { replay } = await aReplay({ deliveries, pending: [] });
    expect(await replay(INTEGRATION, always)).toEqual({ kind: 'completed', replayed: 0 });
  });

  it.each([
    ['failed', troubled('failed')],
    ['busy', troubled('busy')],
    ['inactive', anIntegration({ active: false })],
  ])('leaves them pending while the integration is %s', async (_state, integration) => {
    const deliveries = untouchable<DeliveryQueue>('the deliveries queue');
    const { replay, pendingOf } = await aReplay({ deliveries, stored: [integration] });
    expect(await replay(INTEGRATION, always)).toEqual({ kind: 'stopped', replayed: 0 });
    expect(pendingOf()).toEqual(eventsOf(3));
  });

  it('has another run go on after the last event when time is up', async () => {
    const { replay, replays, pendingOf } = await aReplay({ pending: eventsOf(250) });
    expect(await replay(INTEGRATION, timeFor(2))).toEqual({ kind: 'continued', replayed: 200 });
    expect(pendingOf()).toEqual(eventsOf(250).slice(200));
    expect(replays.requested).toEqual([
      { ...INTEGRATION, rest: { after: placeOf(eventOf(199)), last: placeOf(eventOf(249)) } },
    ]);
  });

  it('keeps an event that failed again and was stored again before it was removed', async () => {
    const again = { ...eventOf(1), priorAttempts: 2 };
    const deliveries = new InMemoryDeliveryQueue();
    const { replay, pendingEvents, pendingOf } = await aReplay({ deliveries });
    Object.assign(deliveries, { enqueue: () => pendingEvents.put(again, A_MESSAGE) });
    expect(await replay(INTEGRATION, timeFor(1))).toEqual({ kind: 'continued', replayed: 3 });
    expect(pendingOf()).toEqual([again]);
  });

  it('keeps what it cannot put on the queue', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    Object.assign(deliveries, { enqueue: () => Promise.reject(new Error('throttled')) });
    const { replay, pendingOf } = await aReplay({ deliveries });
    await expect(replay(INTEGRATION, always)).rejects.toThrow('throttled');
    expect(pendingOf()).toEqual(eventsOf(3));
  });
});

describe('the replay of a deleted integration', () => {
  const ofDeleted = { stored: [], deliveries: untouchable<DeliveryQueue>('the deliveries queue') };

  it('clears its pending events away, and no other’s', async () => {
    const { replay, pendingEvents, pendingOf } = await aReplay({
      ...ofDeleted,
      pending: eventsOf(250),
    });
    await pendingEvents.put({ ...eventOf(1), integration: 'other' }, A_MESSAGE);
    expect(await replay(INTEGRATION, always)).toEqual({ kind: 'purged', replayed: 0 });
    expect(pendingOf()).toEqual([]);
    expect(pendingEvents.of('other')).toHaveLength(1);
  });

  it('has another run go on when time is up', async () => {
    const { replay, replays, pendingEvents } = await aReplay(ofDeleted);
    Object.assign(pendingEvents, { purgePage: async () => false });
    expect(await replay(INTEGRATION, timeFor(1))).toEqual({ kind: 'continued', replayed: 0 });
    expect(replays.requested).toMatchObject([INTEGRATION]);
  });
});
