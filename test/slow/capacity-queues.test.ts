import { describe, expect, it } from 'vitest';
import { FairQueue } from '../../bench/capacity/queues.ts';
import { SourcePoller } from '../../bench/capacity/source-poller.ts';
import { VirtualClock } from '../../bench/capacity/virtual-clock.ts';
import type { EventSource } from '../../lib/stage-settings.ts';

const aQueue = () => {
  const clock = new VirtualClock();
  const queue = new FairQueue<string>(clock, 'message');
  const send = (group: string, count: number): void => {
    for (let number = 0; number < count; number += 1) queue.send(group, { group });
  };
  const receive = (most: number) => queue.receive(most).map(({ group }) => group);
  return { clock, queue, send, receive };
};

describe('the model of a fair queue', () => {
  it('hands out messages of other groups before those of a noisy group', () => {
    const { send, receive } = aQueue();
    send('noisy', 100);
    receive(40);
    send('quiet', 2);

    expect(receive(3)).toEqual(['quiet', 'quiet', 'noisy']);
  });

  it('hands out messages in their order while no group has 30 in flight', () => {
    const { send, receive } = aQueue();
    send('first', 20);
    receive(10);
    send('second', 1);

    expect(receive(11).at(-1)).toBe('second');
  });

  it('hands out nothing at 120,000 messages in flight, and goes on below', () => {
    const { queue, send } = aQueue();
    send('all', 120_001);
    const [first] = queue.receive(120_000);

    expect(queue.receive(1)).toEqual([]);
    if (first) queue.delete(first);
    expect(queue.receive(1)).toHaveLength(1);
  });

  it('counts a message as in flight until it is visible again', async () => {
    const { clock, queue, send } = aQueue();
    send('one', 1);
    const [message] = queue.receive(1);
    if (message) queue.changeVisibility(message, 15_000);
    await clock.runFor(14_999);

    expect(queue).toMatchObject({ inFlight: 1, visible: 0 });

    await clock.runFor(1);

    expect(queue).toMatchObject({ inFlight: 0, visible: 1 });
    expect(queue.receive(1)).toMatchObject([{ receiveCount: 2 }]);
  });
});

/** A function whose batches take ten minutes, and the sizes of the batches that it was given. */
const polled = (source: EventSource, messages: number) => {
  const clock = new VirtualClock();
  const queue = new FairQueue<number>(clock, 'message');
  const batches: number[] = [];
  new SourcePoller(clock, queue, source, (batch) => {
    batches.push(batch.length);
    return clock.after(600_000);
  });
  for (let number = 0; number < messages; number += 1) queue.send(number, { group: `${number}` });
  const batchesAt = async (seconds: number) => {
    await clock.runFor(clock.startedAtMs + 1_000 * seconds - clock.nowMs);
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
