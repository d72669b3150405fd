import { describe, expect, it, vi } from 'vitest';
import type { DeliveryQueue } from '../../../../core/delivery/delivery-queue.ts';
import { buildRunReplay } from '../../../../core/delivery/pending/run-replay.ts';
import { InMemoryDeliveryQueue } from '../../../support/delivery/in-memory-delivery-queue.ts';
import { always, aReplay, eventsOf, OPEN } from '../../../support/delivery/logged-deliveries.ts';
import { OF_INTEGRATION } from '../../../support/delivery/recovery/test-and-recover-parts.ts';
import { dyingAfter } from '../../../support/dying-process.ts';

describe('the steps of a replay', () => {
  /** A replay of three pages, and its steps so far. A step that is held ends as its holder says. */
  const steppedReplay = async () => {
    const replaying = await aReplay({ pending: eventsOf(250) });
    const { pendingEvents, deliveries } = replaying;
    const { pages, removeAllAsRead } = pendingEvents;
    const steps: string[] = [];
    const held = new Map<string, PromiseWithResolvers<void>>();
    const numbers = new Map<string, number>();
    const step = async (kind: string): Promise<void> => {
      const number = (numbers.get(kind) ?? 0) + 1;
      numbers.set(kind, number);
      steps.push(`${kind} ${number}`);
      await held.get(`${kind} ${number}`)?.promise;
    };
    const { enqueue } = deliveries;
    Object.assign(deliveries, {
      enqueue: async (page: Parameters<typeof enqueue>[0]) => {
        await step('enqueue');
        await enqueue.call(deliveries, page);
      },
    });
    Object.assign(pendingEvents, {
      pages: async function* (...given: Parameters<typeof pages>) {
        const all = pages.apply(pendingEvents, given);
        for (;;) {
          await step('read');
          const { done, value } = await all.next();
          if (done) return;
          yield value;
        }
      },
      removeAllAsRead: async (page: Parameters<typeof removeAllAsRead>[0]) => {
        await step('remove');
        await removeAllAsRead.call(pendingEvents, page);
      },
    });
    const hold = (name: string) => {
      const resolvers = Promise.withResolvers<void>();
      resolvers.promise.catch(() => {});
      held.set(name, resolvers);
      return resolvers;
    };
    return { ...replaying, steps, hold };
  };
  const reached = (steps: readonly string[], step: string) =>
    vi.waitFor(() => expect(steps).toContain(step));
  /** Resolves when everything that can go on has gone on. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('reads a page while the page before is put on the queue', async () => {
    const { replay, steps, hold } = await steppedReplay();
    const first = hold('enqueue 1');
    const run = replay({ ...OF_INTEGRATION, pace: OPEN }, always);
    await reached(steps, 'read 2');
    first.resolve();
    expect(await run).toMatchObject({ kind: 'completed', replayed: 250 });
  });

  it('enqueues one page while the page before is removed', async () => {
    const { replay, steps, hold } = await steppedReplay();
    const first = hold('remove 1');
    const run = replay({ ...OF_INTEGRATION, pace: OPEN }, always);
    await reached(steps, 'enqueue 2');
    await settled();
    expect(steps).not.toContain('remove 2');
    expect(steps).not.toContain('enqueue 3');
    first.resolve();
    expect(await run).toMatchObject({ kind: 'completed', replayed: 250 });
  });

  it('ends when all is removed, and does not read again', async () => {
    const { replay, steps, hold } = await steppedReplay();
    const last = hold('remove 3');
    let hasEnded = false;
    const run = replay({ ...OF_INTEGRATION, pace: OPEN }, always).finally(() => {
      hasEnded = true;
    });
    await reached(steps, 'remove 3');
    await settled();
    expect(hasEnded).toBe(false);
    last.resolve();
    expect(await run).toMatchObject({ kind: 'completed', replayed: 250 });
    // The fourth read came to the end.
    expect(steps).not.toContain('read 5');
  });

  it.each(['remove 1', 'remove 3', 'enqueue 2', 'read 1', 'read 2', 'read 4'])(
    'fails when it cannot %s, so that its request comes again',
    async (failing) => {
      const { replay, hold, pendingOf } = await steppedReplay();
      hold(failing).reject(new Error('throttled'));
      await expect(replay({ ...OF_INTEGRATION, pace: OPEN }, always)).rejects.toThrow('throttled');
      const again = await replay({ ...OF_INTEGRATION, pace: OPEN }, always);
      expect(again.kind).toBe('completed');
      expect(pendingOf()).toEqual([]);
    },
  );
});

describe('a process that dies in the midst of a replay', () => {
  it.each(Array.from({ length: 20 }, (_, calls) => calls))(
    'loses nothing, and repeats two pages at most: %i calls',
    async (calls) => {
      const deliveries = new InMemoryDeliveryQueue();
      const { replay, pendingOf, ...ports } = await aReplay({
        deliveries,
        pending: eventsOf(450),
      });
      const through = dyingAfter(calls);
      const dying = buildRunReplay({
        ...ports,
        integrations: through(ports.integrations),
        pendingEvents: through(ports.pendingEvents),
        deliveries: through<DeliveryQueue>(deliveries),
        replays: through(ports.replays),
      });
      await dying(OF_INTEGRATION, always).catch(() => {});
      expect(await replay(OF_INTEGRATION, always)).toMatchObject({ kind: 'completed' });
      const ids = deliveries.deliveries.map(({ event }) => event.id);
      expect(new Set(ids)).toEqual(new Set(eventsOf(450).map(({ event }) => event.id)));
      expect(ids.length - 450).toBeLessThanOrEqual(200);
      expect(pendingOf()).toEqual([]);
    },
  );
});
