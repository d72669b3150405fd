import { beforeEach, describe, expect, it } from 'vitest';
import { FairOrder } from '../../../local/aws/fair-order.ts';
import type { SqsMessage } from '../../../local/aws/fauxqs-internals.ts';

let nowMs: number;
let order: FairOrder;
let messages: number;
beforeEach(() => {
  nowMs = 0;
  order = new FairOrder(() => nowMs);
  messages = 0;
});

const messageOf = (messageGroupId?: string): SqsMessage => {
  messages += 1;
  return {
    messageId: `${messageGroupId ?? 'alone'} ${messages}`,
    ...(messageGroupId !== undefined && { messageGroupId }),
  } as SqsMessage;
};

const wait = (group: string | undefined, count = 1): SqsMessage[] => {
  const waiting = Array.from({ length: count }, () => messageOf(group));
  for (const message of waiting) order.push(message);
  return waiting;
};

/** Receives a message; by default the one that is handed out next. */
const receive = (message = order.shift()): SqsMessage => {
  if (message === undefined) throw new Error('Nothing waits.');
  order.received(message);
  return message;
};

const finish = (message: SqsMessage): void => {
  order.processed(message);
  order.left(message);
};

/** Messages of a group that are worked on one after the other, so long each. */
const process = (group: string, { count, eachMs }: { count: number; eachMs: number }): void => {
  for (let done = 0; done < count; done += 1) {
    const message = receive(messageOf(group));
    nowMs += eachMs;
    finish(message);
  }
};

const inFlight = (group: string, count: number): SqsMessage[] =>
  Array.from({ length: count }, () => receive(messageOf(group)));

/** The groups of all that waits, as it is received; `alone` without a group. */
const handedOut = (): string[] => {
  const groups: string[] = [];
  while (order.length > 0) groups.push(receive().messageGroupId ?? 'alone');
  return groups;
};

describe('Messages of a fair queue', () => {
  it('are handed out oldest first, while no group is noisy', () => {
    const sent = [...wait('a', 2), ...wait('b'), ...wait(undefined), ...wait('a')];

    expect(order.length).toBe(5);
    expect([...order]).toEqual(sent);
    expect(sent.map(() => order.shift())).toEqual(sent);
    expect([order.length, order.shift()]).toEqual([0, undefined]);
  });

  it('are handed out in their order when thousands wait, and more come meanwhile', () => {
    const sent = wait('a', 2_500);
    const received = sent.slice(0, 1_700).map(() => order.shift());
    sent.push(...wait('a', 500));

    expect([order.length, [...order]]).toEqual([1_300, sent.slice(1_700)]);
    received.push(...[...order].map(() => order.shift()));
    expect(received).toEqual(sent);
    expect([order.length, order.shift()]).toEqual([0, undefined]);
  });

  it('of a group that has 30 of its own in flight, and more than a tenth, come after others', () => {
    inFlight('busy', 30);
    wait('busy', 2);
    wait('quiet');
    wait(undefined);

    expect(handedOut()).toEqual(['quiet', 'alone', 'busy', 'busy']);
  });

  it.each([
    ['fewer of its own', 29, 0],
    ['no more than a tenth of all', 30, 270],
  ])('of a group that has %s in flight wait their turn', (_, own, others) => {
    inFlight('busy', own);
    for (let other = 0; other < others; other += 1) receive(messageOf());
    wait('busy');
    wait('quiet');

    expect(handedOut()).toEqual(['busy', 'quiet']);
  });

  it('of a group that has more than a tenth of the processing time come after others', () => {
    process('slow', { count: 2, eachMs: 600 });
    process('quick', { count: 100, eachMs: 1 });
    wait('slow', 2);
    wait('quick');

    expect(handedOut()).toEqual(['quick', 'slow', 'slow']);
  });

  it.each([
    ['no more than a tenth', { own: 1_100, others: 10_000 }],
    ['less than a second', { own: 900, others: 100 }],
  ])('of a group that had %s of processing time wait their turn', (_, { own, others }) => {
    process('slow', { count: 1, eachMs: own });
    // By groups of one message each, none of which becomes noisy.
    for (let done = 0; done < others; done += 100) process(`${done}`, { count: 1, eachMs: 100 });
    wait('slow');
    wait('quick');

    expect(handedOut()).toEqual(['slow', 'quick']);
  });

  it('wait their turn again when their group’s noise was long ago', () => {
    process('slow', { count: 2, eachMs: 600 });
    nowMs += 30_000;
    wait('slow');
    wait('quick');

    expect(handedOut()).toEqual(['slow', 'quick']);
  });

  it('of a noisy group stay behind until nothing of the group waits', () => {
    const working = inFlight('busy', 30);
    wait('busy', 2);
    expect(receive().messageGroupId).toBe('busy');
    for (const message of working) finish(message);
    wait('quiet');
    expect(handedOut()).toEqual(['quiet', 'busy']);

    wait('busy');
    wait('quiet');
    expect(handedOut()).toEqual(['busy', 'quiet']);
  });

  it('of several noisy groups are taken from the group that has the fewest in flight', () => {
    inFlight('busier', 33);
    inFlight('busy', 31);
    wait('busier', 3);
    wait('busy', 4);

    expect(handedOut()).toEqual([
      ...['busy', 'busy', 'busier', 'busy', 'busier', 'busy', 'busier'],
    ]);
  });

  it('without a group are nobody’s noise, however many are in flight', () => {
    const [first] = wait(undefined);
    for (let other = 0; other < 40; other += 1) receive(messageOf());
    wait('quiet');

    expect(order.shift()).toBe(first);
  });

  it('are none after the queue was purged', () => {
    wait('a', 2);
    wait('b');
    order.clear();

    expect([order.length, [...order], order.shift()]).toEqual([0, [], undefined]);
    wait('a');
    expect(handedOut()).toEqual(['a']);
  });

  it('of a noisy group wait their turn after the queue was purged', () => {
    const working = inFlight('busy', 30);
    wait('busy', 2);
    receive();
    order.clear();
    for (const message of working) finish(message);
    wait('busy');
    wait('quiet');

    expect(handedOut()).toEqual(['busy', 'quiet']);
  });
});
