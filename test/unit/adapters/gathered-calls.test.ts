import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Calls,
  gatheredCalls,
  gatheredQueue,
  gatheredReads,
  sharedCalls,
} from '../../../adapters/gathered-calls.ts';
import type { Delivery } from '../../../core/delivery/delivery.ts';
import { NotEnqueued } from '../../../core/delivery/delivery-queue.ts';
import { deliveryAt } from '../../support/delivery/logged-deliveries.ts';
import { InMemoryIntegrations } from '../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../support/integration/integrations.ts';

interface Asked {
  readonly of: string;
  readonly number: number;
}

/** Calls of which each is answered with its number and how many are in its group. */
const counted = (fault?: (calls: Calls<Asked>) => unknown) => {
  const groups: number[][] = [];
  const ask = gatheredCalls(
    async (calls: Calls<Asked>) => {
      groups.push(calls.map(({ number }) => number));
      const thrown = fault?.(calls);
      if (thrown !== undefined) throw thrown;
      return calls.map(({ number }) =>
        number < 0 ? new Error(`${number} is negative`) : `${number} of ${calls.length}`,
      );
    },
    (call) => call.of,
  );
  return { groups, ask: (of: string, number: number) => ask({ of, number }) };
};

describe('gathered calls', () => {
  it('are answered together, each with its own answer', async () => {
    const { ask, groups } = counted();
    const answers = await Promise.all([ask('a', 1), ask('a', 2), ask('a', 3)]);
    expect(answers).toEqual(['1 of 3', '2 of 3', '3 of 3']);
    expect(groups).toEqual([[1, 2, 3]]);
  });

  it('are apart from those of another key', async () => {
    const { ask, groups } = counted();
    const answers = await Promise.all([ask('a', 1), ask('b', 2), ask('a', 3)]);
    expect(answers).toEqual(['1 of 2', '2 of 1', '3 of 2']);
    expect(groups).toEqual([[1, 3], [2]]);
  });

  it('are answered anew each time, also the same call', async () => {
    const { ask, groups } = counted();
    expect(await Promise.all([ask('a', 1), ask('a', 1)])).toEqual(['1 of 2', '1 of 2']);
    expect(await ask('a', 1)).toBe('1 of 1');
    expect(groups).toEqual([[1, 1], [1]]);
  });

  it('fail one by one', async () => {
    const { ask } = counted();
    expect(await Promise.allSettled([ask('a', 1), ask('a', -2), ask('a', 3)])).toEqual([
      { status: 'fulfilled', value: '1 of 3' },
      { status: 'rejected', reason: new Error('-2 is negative') },
      { status: 'fulfilled', value: '3 of 3' },
    ]);
  });

  it.each([
    ['an error', new Error('throttled')],
    ['something else', 'throttled'],
  ])('fail as a group, and with no other group, when %s is thrown', async (_what, thrown) => {
    const { ask } = counted(([{ of }]) => (of === 'a' ? thrown : undefined));
    expect(await Promise.allSettled([ask('a', 1), ask('b', 2), ask('a', 3)])).toEqual([
      { status: 'rejected', reason: new Error('throttled') },
      { status: 'fulfilled', value: '2 of 1' },
      { status: 'rejected', reason: new Error('throttled') },
    ]);
  });
});

describe('shared calls', () => {
  it('are one call for each key, whose result all have', async () => {
    const made: Asked[] = [];
    const ask = sharedCalls(
      async (call: Asked) => {
        made.push(call);
        return call.number;
      },
      ({ of }) => of,
    );
    const calls = [
      { of: 'a', number: 1 },
      { of: 'b', number: 2 },
      { of: 'a', number: 3 },
    ];
    expect(await Promise.all(calls.map(ask))).toEqual([1, 2, 1]);
    expect(made).toEqual(calls.slice(0, 2));
    expect(await ask({ of: 'a', number: 3 })).toBe(3);
  });
});

const STORED = anIntegration();

const countedReads = () => {
  const stored = new InMemoryIntegrations(STORED);
  const calls: string[][] = [];
  const reads = gatheredReads({
    findAll: (keys) => {
      calls.push(keys.map(({ id }) => id));
      return stored.findAll(keys);
    },
  });
  return { stored, calls, find: (id = STORED.id) => reads.find('acme', id) };
};

describe('gathered reads of integrations', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('are one call for those who ask within five milliseconds', async () => {
    const { find, calls } = countedReads();
    const first = find();
    await vi.advanceTimersByTimeAsync(4);
    const others = [find(), find('another00000')];
    await vi.advanceTimersByTimeAsync(1);
    expect(await Promise.all([first, ...others])).toEqual([STORED, STORED, undefined]);
    expect(calls).toEqual([[STORED.id, STORED.id, 'another00000']]);
  });

  it('return what was stored before they were requested, or later', async () => {
    const { find, calls, stored } = countedReads();
    const before = find();
    await vi.advanceTimersByTimeAsync(5);
    expect(await before).toEqual(STORED);
    await stored.remove(STORED);
    const after = find();
    await vi.advanceTimersByTimeAsync(5);
    expect(await after).toBeUndefined();
    expect(calls).toHaveLength(2);
  });
});

describe('a gathered queue', () => {
  const [FIRST, SECOND, THIRD] = [deliveryAt(1), deliveryAt(2), deliveryAt(3)];

  const gathering = (fault: unknown) => {
    const calls: (readonly Delivery[])[] = [];
    const { enqueue } = gatheredQueue({
      enqueue: async (deliveries) => {
        calls.push(deliveries);
        if (fault) throw fault;
      },
    });
    const all = () =>
      Promise.allSettled([enqueue([FIRST]), enqueue([SECOND, THIRD])]).then((results) =>
        results.map((result) => ('reason' in result ? String(result.reason) : 'enqueued')),
      );
    return { calls, all };
  };

  it('sends the deliveries of simultaneous calls by one call', async () => {
    const { calls, all } = gathering(undefined);
    expect(await all()).toEqual(['enqueued', 'enqueued']);
    expect(calls).toEqual([[FIRST, SECOND, THIRD]]);
  });

  it('fails only the calls whose deliveries were refused', async () => {
    const refused = new NotEnqueued(new Map([[THIRD, new Error('too large')]]), { of: 3 });
    expect(await gathering(refused).all()).toEqual(['enqueued', 'Error: too large']);
  });

  it('fails all calls if nothing was sent', async () => {
    const { all } = gathering(new Error('throttled'));
    expect(await all()).toEqual(['Error: throttled', 'Error: throttled']);
  });
});
