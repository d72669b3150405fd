import { afterAll, expect, it } from 'vitest';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { casesOf, LAST_CASES, runCase } from '../support/receivers/cases.ts';
import type { Route } from '../support/receivers/posts.ts';
import { ReceiverUnderTest } from '../support/receivers/receiver-under-test.ts';

const front = await receiverOfFile();

const started: ReceiverUnderTest[] = [];
afterAll(() => Promise.all(started.map((receiver) => receiver.stop())));

/** Those of the cases that a receiver with the fault fails on a route. */
const failedBy = async (
  fault: string,
  { route, cases }: { route: Route; cases: readonly string[] },
): Promise<readonly string[]> => {
  const start = `exec "${process.execPath}" test/support/receivers/faulty-receiver.ts`;
  const receiver = await ReceiverUnderTest.start(
    { folder: '.', start, readsToTheEnd: false, env: { FAULT: fault } },
    front,
  );
  started.push(receiver);
  const failed: string[] = [];
  for (const name of cases) {
    await runCase(name, receiver.at(route)).catch(() => failed.push(name));
  }
  return failed;
};

it.each<Route>(['/hooks', '/standard-hooks'])(
  'A receiver without fault passes %s',
  async (route) => {
    const cases = [...casesOf(route), ...LAST_CASES];

    expect(await failedBy('none', { route, cases })).toEqual([]);
  },
);

it.each<[string, Route, readonly string[]]>([
  ['takes any signature', '/hooks', ['a tampered body', 'a tampered signature', 'another secret']],
  ['parses and serialises the body', '/hooks', ['numbers beyond 2^53', 'a tampered body']],
  ['compares any lengths', '/hooks', ['a tampered signature']],
  ['takes 100 kB', '/hooks', ['a body of 256 KiB']],
  ['takes any number of bytes', '/hooks', ['a body of more than 256 KiB']],
  ['forgets the previous secret', '/hooks', ['a rotated secret']],
  ['handles duplicates', '/hooks', ['a duplicate', ...LAST_CASES]],
  ['fails without its store', '/hooks', ['a store that is down']],
  ['confirms what it could not store', '/hooks', ['a store that is down']],
  ['remembers what it could not store', '/hooks', ['a store that is down']],
  ['ignores the timestamp', '/standard-hooks', ['an old timestamp']],
  ['logs the secret', '/hooks', LAST_CASES],
])('A receiver that %s, at %s, fails: %j', async (fault, route, cases) => {
  expect(await failedBy(fault, { route, cases })).toEqual(cases);
});
