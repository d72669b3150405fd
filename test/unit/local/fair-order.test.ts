import { beforeEach, describe, expect, it } from 'vitest';
import { FairOrder } from '../../../local/aws/fair-order.ts';
import type { SqsMessage } from '../../../local/aws/fauxqs-internals.ts';

let order: FairOrder;
let messages: number;
beforeEach(() => {
  order = new FairOrder();
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

const inFlight = (group: string, count: number): SqsMessage[] =>
  Array.from({ length: count }, () => receive(messageOf(group)));

/** The groups of all that waits, as it is received; `alone` without a group. */
const handedOut = (): string[] => {
  const groups: string[] = [];
  while (order.length > 0) groups.push(receive().messageGroupId ?? 'alone');
  return groups;
};

describe('Messages of a fair queue', () => {
  it('are handed out oldest first, while nothing is in flight', () => {
    const sent = [...wait('a', 2), ...wait('b'), ...wait(undefined), ...wait('a')];

    expect(order.length).toBe(5);
    expect([...order]).toEqual(sent);
    expect(sent.map(() => order.shift())).toEqual(sent);
    expect([order.length, order.shift()]).toEqual([0, undefined]);
  });

  it('come from the group that has the fewest in flight', () => {
    inFlight('busier', 3);
    inFlight('busy', 1);
    wait('busier', 3);
    wait('busy', 4);
    wait('quiet');
    wait(undefined);

    expect(handedOut()).toEqual([
      ...['quiet', 'alone', 'busy', 'busy', 'busier', 'busy', 'busier', 'busy', 'busier'],
    ]);
  });

  it('wait their turn again when nothing of their group is in flight', () => {
    const working = inFlight('busy', 30);
    for (const message of working) order.left(message);
    wait('busy');
    wait('quiet');

    expect(handedOut()).toEqual(['busy', 'quiet']);
  });

  it('without a group do not count for each other', () => {
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
});
