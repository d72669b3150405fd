import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';
import { VirtualClock } from './virtual-clock.ts';

const aQueue = () => {
  const clock = new VirtualClock(new Date('2026-11-20T12:00:00.000Z'));
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
    await clock.runUntil(clock.nowMs + 14_999);

    expect(queue).toMatchObject({ inFlight: 1, visible: 0 });

    await clock.runUntil(clock.nowMs + 1);

    expect(queue).toMatchObject({ inFlight: 0, visible: 1 });
    expect(queue.receive(1)).toMatchObject([{ receiveCount: 2 }]);
  });
});
