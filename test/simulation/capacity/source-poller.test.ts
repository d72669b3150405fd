import { describe, expect, it } from 'vitest';
import type { EventSource } from '../../../lib/stage-settings.ts';
import { FairQueue } from './fair-queue.ts';
import { SourcePoller } from './source-poller.ts';
import { VirtualClock } from './virtual-clock.ts';

const startedAt = new Date('2026-11-20T12:00:00.000Z');

/** A function whose batches take ten minutes, and the sizes of the batches that it was given. */
const polled = (source: EventSource, messages: number) => {
  const clock = new VirtualClock(startedAt);
  const queue = new FairQueue<number>(clock, 'message');
  const batches: number[] = [];
  new SourcePoller(clock, queue, {
    ...source,
    invoke: (batch) => {
      batches.push(batch.length);
      return clock.after(600_000);
    },
  });
  for (let number = 0; number < messages; number += 1) queue.send(number, { group: `${number}` });
  const batchesAt = async (seconds: number) => {
    await clock.runUntil(startedAt.getTime() + 1_000 * seconds);
    return batches;
  };
  return { batchesAt };
};

describe('the model of an event source', () => {
  it('begins with five batches at once and has 300 more a minute', async () => {
    const { batchesAt } = polled({ batchSize: 10, maximumConcurrency: 1_000 }, 10_000);

    expect(await batchesAt(0.1)).toHaveLength(5);
    const { length } = await batchesAt(60);
    expect(length).toBeGreaterThan(295);
    expect(length).toBeLessThanOrEqual(305);
  });

  it('has no more batches at once than its maximum', async () => {
    const { batchesAt } = polled({ batchSize: 10, maximumConcurrency: 20 }, 10_000);

    expect(await batchesAt(60)).toHaveLength(20);
  });

  it('gathers a batch for its window', async () => {
    const source = { batchSize: 100, batchingWindowSeconds: 1, maximumConcurrency: 20 };

    const { batchesAt } = polled(source, 130);

    expect(await batchesAt(0.1)).toEqual([100]);
    expect(await batchesAt(2)).toEqual([100, 30]);
  });
});
