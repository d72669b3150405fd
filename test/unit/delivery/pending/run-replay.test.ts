import { describe, expect, it, vi } from 'vitest';
import { type Delivery, positionOf } from '../../../../core/delivery/delivery.ts';
import type { DeliveryQueue } from '../../../../core/delivery/delivery-queue.ts';
import type { Rest } from '../../../../core/delivery/pending/replay-requests.ts';
import { FIRST_STEP } from '../../../../core/delivery/pending/step-pace.ts';
import type { Trouble } from '../../../../core/integration/integration.ts';
import { InMemoryDeliveryQueue } from '../../../support/delivery/in-memory-delivery-queue.ts';
import {
  always,
  aReplay,
  eventOf,
  eventsOf,
  NOON,
  OPEN,
  timeFor,
} from '../../../support/delivery/logged-deliveries.ts';
import { OF_INTEGRATION } from '../../../support/delivery/recovery/test-and-recover-parts.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import { A_MESSAGE } from '../../../support/event/platform-events.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { untouchable } from '../../../support/untouchable.ts';

const FAILED: Trouble = {
  kind: 'failed',
  since: '2026-11-20T12:30:00.000Z',
  lastAttemptAt: '2026-11-20T12:30:00.000Z',
  nextAttemptAt: '2026-11-20T13:00:00.000Z',
};

describe('replaying pending events', () => {
  it('enqueues pending events as replays, oldest first, and leaves none', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const pending = [eventOf(2), eventOf(3), eventOf(1)];
    const { replay, replays, pendingOf } = await aReplay({ deliveries, pending });
    expect(await replay(OF_INTEGRATION, always)).toEqual({ kind: 'completed', replayed: 3 });
    expect(replays.requested).toEqual([]);
    expect(deliveries.deliveries).toEqual(
      [eventOf(1), eventOf(2), eventOf(3)].map((event) => ({ ...event, trigger: 'replay' })),
    );
    expect(pendingOf()).toEqual([]);
  });

  it('sends a resend as such, though its event arrived before', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const pending = [eventOf(1), { ...eventOf(2), trigger: 'manual' as const }];
    const { replay } = await aReplay({ deliveries, pending });
    await replay(OF_INTEGRATION, always);
    expect(deliveries.deliveries).toMatchObject([{ trigger: 'replay' }, { trigger: 'manual' }]);
  });

  it.each([
    ['continues', 'was due two hours ago', '2026-11-20T10:00:00.000Z', true],
    ['ends', 'was due earlier', '2026-11-20T09:59:59.999Z', false],
    ['ends', 'waited for its integration', undefined, false],
  ])('%s the window of an event that %s', async (_what, _which, dueAt, isContinued) => {
    const deliveries = new InMemoryDeliveryQueue();
    const { replay, pendingEvents } = await aReplay({ deliveries, pending: [] });
    const backoff = { since: eventOf(1).event.occurredAt, attempts: 1, hasSlot: false };
    const stored = { ...A_MESSAGE, ...(dueAt && { dueAt: new Date(dueAt) }) };
    await pendingEvents.put({ ...eventOf(1), backoff }, stored);
    await replay(OF_INTEGRATION, always);
    const [{ backoff: sent }] = deliveries.deliveries as [Delivery];
    expect(sent).toEqual(isContinued ? backoff : undefined);
  });

  it('has nothing to do when nothing is pending', async () => {
    const deliveries = untouchable<DeliveryQueue>('the deliveries queue');
    const { replay } = await aReplay({ deliveries, pending: [] });
    expect(await replay(OF_INTEGRATION, always)).toEqual({ kind: 'completed', replayed: 0 });
  });

  it.each([
    ['failed', troubled('failed')],
    ['busy', troubled('busy')],
    ['inactive', anIntegration({ active: false })],
  ])('leaves them pending while the integration is %s', async (_state, integration) => {
    const deliveries = untouchable<DeliveryQueue>('the deliveries queue');
    const { replay, pendingOf } = await aReplay({ deliveries, stored: integration });
    expect(await replay(OF_INTEGRATION, always)).toEqual({ kind: 'stopped', replayed: 0 });
    expect(pendingOf()).toEqual(eventsOf(3));
  });

  it('has another run go on after the last event when time is up', async () => {
    const { replay, replays, pendingOf } = await aReplay({ pending: eventsOf(250) });
    expect(await replay({ ...OF_INTEGRATION, pace: OPEN }, timeFor(2))).toEqual({
      kind: 'continued',
      replayed: 200,
    });
    expect(pendingOf()).toEqual(eventsOf(250).slice(200));
    expect(replays.requested).toEqual([
      {
        ...OF_INTEGRATION,
        rest: { after: positionOf(eventOf(199)), last: positionOf(eventOf(249)) },
        pace: { ...OPEN, left: 9_800, sampled: expect.any(Array) },
      },
    ]);
  });

  it('keeps an event that failed and was stored again before its removal', async () => {
    const again = { ...eventOf(1), priorAttempts: 2 };
    const deliveries = new InMemoryDeliveryQueue();
    const { replay, pendingEvents, pendingOf } = await aReplay({ deliveries });
    Object.assign(deliveries, { enqueue: () => pendingEvents.put(again, A_MESSAGE) });
    const result = await replay({ ...OF_INTEGRATION, pace: OPEN }, timeFor(1));
    expect(result).toEqual({ kind: 'continued', replayed: 3 });
    expect(pendingOf()).toEqual([again]);
  });

  it('keeps what it cannot put on the queue', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    Object.assign(deliveries, { enqueue: () => Promise.reject(new Error('throttled')) });
    const { replay, pendingOf } = await aReplay({ deliveries });
    await expect(replay(OF_INTEGRATION, always)).rejects.toThrow('throttled');
    expect(pendingOf()).toEqual(eventsOf(3));
  });
});

describe('the replay of a deleted integration', () => {
  const ofDeleted = {
    stored: 'deleted' as const,
    deliveries: untouchable<DeliveryQueue>('the deliveries queue'),
  };

  it('clears its pending events away, and no other’s', async () => {
    const { replay, pendingEvents, pendingOf } = await aReplay({
      ...ofDeleted,
      pending: eventsOf(250),
    });
    await pendingEvents.put({ ...eventOf(1), integration: 'other' }, A_MESSAGE);
    expect(await replay(OF_INTEGRATION, always)).toEqual({ kind: 'purged', replayed: 0 });
    expect(pendingOf()).toEqual([]);
    expect(pendingEvents.of('other')).toHaveLength(1);
  });

  it('has another run go on when time is up', async () => {
    const { replay, replays, pendingEvents } = await aReplay(ofDeleted);
    Object.assign(pendingEvents, { purgePage: async () => false });
    expect(await replay(OF_INTEGRATION, timeFor(1))).toEqual({ kind: 'continued', replayed: 0 });
    expect(replays.requested).toMatchObject([OF_INTEGRATION]);
  });
});

const idsIn = ({ deliveries }: InMemoryDeliveryQueue) => deliveries.map(({ event }) => event.id);

/** Calls `meanwhile` after each page that is put on the queue. */
const queueWith = (meanwhile: () => Promise<void>) => {
  const deliveries = new InMemoryDeliveryQueue();
  const { enqueue } = InMemoryDeliveryQueue.prototype;
  deliveries.enqueue = async (page) => {
    await enqueue.call(deliveries, page);
    await meanwhile();
  };
  return deliveries;
};

describe('the one pass of a replay', () => {
  it('leaves out events that become pending while it goes on', async () => {
    const deliveries = queueWith(async () => {
      for (const second of [1, 9]) await pendingEvents.put(eventOf(second), A_MESSAGE);
    });
    const { replay, pendingEvents, pendingOf } = await aReplay({
      deliveries,
      pending: [eventOf(5)],
    });
    expect(await replay(OF_INTEGRATION, always)).toEqual({ kind: 'completed', replayed: 1 });
    expect(idsIn(deliveries)).toEqual(['evt_5']);
    expect(pendingOf()).toEqual([eventOf(1), eventOf(9)]);
  });

  it('sends no event twice in several runs while the endpoint refuses all', async () => {
    const deliveries = queueWith(async () => {
      // Each event of the page is refused and stored again before the next run begins.
      for (const delivery of deliveries.deliveries) await pendingEvents.put(delivery, A_MESSAGE);
    });
    const { replay, pendingEvents, replays, pendingOf } = await aReplay({
      deliveries,
      pending: eventsOf(250),
    });
    let rest: Rest | undefined;
    do {
      await replay({ ...OF_INTEGRATION, rest, pace: OPEN }, timeFor(1));
      rest = replays.requested.pop()?.rest;
    } while (rest !== undefined);
    expect(idsIn(deliveries)).toEqual(eventsOf(250).map(({ event }) => event.id));
    expect(pendingOf()).toHaveLength(250);
  });

  it('goes on after the place where the run before stopped, up to the last', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const { replay, pendingOf } = await aReplay({ deliveries, pending: eventsOf(6) });
    const rest = { after: positionOf(eventOf(1)), last: positionOf(eventOf(4)) };
    expect(await replay({ ...OF_INTEGRATION, rest }, always)).toMatchObject({ replayed: 3 });
    expect(idsIn(deliveries)).toEqual(['evt_2', 'evt_3', 'evt_4']);
    expect(pendingOf()).toEqual([eventOf(0), eventOf(1), eventOf(5)]);
  });

  it('keeps its end when it had time for nothing', async () => {
    const { replay, replays } = await aReplay({ pending: eventsOf(3) });
    expect(await replay(OF_INTEGRATION, () => false)).toEqual({ kind: 'continued', replayed: 0 });
    expect(replays.requested).toEqual([
      { ...OF_INTEGRATION, rest: { last: positionOf(eventOf(2)) }, pace: FIRST_STEP },
    ]);
  });
});

describe('a replay of what is due', () => {
  const dueAt = (iso: string) => ({ ...A_MESSAGE, dueAt: new Date(iso) });

  /**
   * At noon, when the first and the second event are due, the third is not, and the last needs no
   * wait.
   */
  const aDueReplay = async (deliveries = new InMemoryDeliveryQueue()) => {
    const replaying = await aReplay({ deliveries, pending: [eventOf(4)] });
    const { pendingEvents } = replaying;
    await pendingEvents.put(eventOf(1), dueAt('2026-11-20T11:00:00.000Z'));
    await pendingEvents.put(eventOf(2), dueAt('2026-11-20T12:00:00.000Z'));
    await pendingEvents.put(eventOf(3), dueAt('2026-11-20T12:00:00.001Z'));
    return { ...replaying, deliveries };
  };

  it('leaves out what was attempted a short time ago and is not due yet', async () => {
    const { replay, deliveries, pendingOf } = await aDueReplay();
    const result = await replay({ ...OF_INTEGRATION, onlyDue: true }, always);
    expect(result).toEqual({ kind: 'completed', replayed: 3 });
    expect(idsIn(deliveries)).toEqual(['evt_1', 'evt_2', 'evt_4']);
    expect(pendingOf()).toEqual([eventOf(3)]);
  });

  it('passes over events that are not due with one read for a page', async () => {
    const { replay, integrations, pendingEvents } = await aReplay({ pending: [] });
    for (const event of eventsOf(90)) {
      await pendingEvents.put(event, dueAt('2026-11-20T13:00:00.000Z'));
    }
    const find = vi.spyOn(integrations, 'find');
    await replay({ ...OF_INTEGRATION, onlyDue: true }, always);
    expect(find.mock.calls.length).toBeLessThan(4);
  });

  it('stays one when another run goes on with it', async () => {
    const { replay, replays, pendingEvents } = await aDueReplay();
    await pendingEvents.put(eventOf(5), dueAt('2026-11-20T12:30:00.000Z'));
    await replay({ ...OF_INTEGRATION, onlyDue: true, pace: OPEN }, timeFor(1));
    const place = positionOf(eventOf(4));
    expect(replays.requested).toEqual([
      {
        ...OF_INTEGRATION,
        onlyDue: true,
        rest: { after: place, last: positionOf(eventOf(5)) },
        pace: { ...OPEN, left: 9_997, sampled: expect.any(Array) },
      },
    ]);
  });

  it('is not what a usual replay is: that sends all', async () => {
    const { replay, deliveries } = await aDueReplay();
    await replay(OF_INTEGRATION, always);
    expect(idsIn(deliveries)).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4']);
  });
});

describe('the replay of an integration that fails meanwhile', () => {
  it('stops after the page', async () => {
    const deliveries = queueWith(async () => {
      await integrations.begin(anIntegration(), FAILED);
    });
    const { replay, integrations, pendingOf } = await aReplay({
      deliveries,
      pending: eventsOf(250),
    });
    const result = await replay({ ...OF_INTEGRATION, pace: OPEN }, always);
    expect(result).toEqual({ kind: 'stopped', replayed: 100 });
    expect(pendingOf()).toEqual(eventsOf(250).slice(100));
  });
});

describe('a replay that is under way', () => {
  it('is noted from the first delivery until the last is answered', async () => {
    const noted: (string | undefined)[] = [];
    const look = () => noted.push(integrations.all[0]?.replayingUntil);
    const deliveries = queueWith(async () => {
      look();
    });
    const { replay, integrations } = await aReplay({ deliveries });
    look();
    await replay(OF_INTEGRATION, always);
    look();
    const atTheLatest = '2026-11-20T12:15:00.000Z';
    expect(noted).toEqual([undefined, atTheLatest, atTheLatest, undefined]);
  });

  it.each([
    ['an hour ago', { confirmedAt: '2026-11-20T11:00:00.000Z' }, 0],
    ['longer ago', { confirmedAt: '2026-11-20T10:59:59.999Z' }, 1],
    ['never', {}, 1],
  ])('notes once that the endpoint confirms, if the note is of %s', async (_when, noted, times) => {
    const stored = anIntegration({ updatedAt: '2026-11-20T10:00:00.000Z', ...noted });
    const { replay, integrations } = await aReplay({ stored, pending: eventsOf(90) });
    const note = vi.spyOn(integrations, 'noteConfirmed');
    await replay(OF_INTEGRATION, always);
    expect(note.mock.calls.map(([, at]) => at)).toEqual(Array(times).fill(NOON));
  });
});
