import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { DynamoDbIntegrationWriter } from '../../adapters/dynamodb/integrations/integration-writer.ts';
import { DynamoDbTroubleStates } from '../../adapters/dynamodb/integrations/trouble-states.ts';
import type { Integration } from '../../core/integration/integration.ts';
import {
  busy,
  describeTroubleStates,
  failed,
  later,
  STREAK,
  streakless,
  TRANSIENT,
  trouble,
  untroubled,
  useTroubleTables,
} from '../support/adapters/trouble-state-subjects.ts';
import { operationsOf, watchedClient } from '../support/adapters/watched-client.ts';

/** A transient outcome of an attempt between two instants, each in seconds after 12:00. */
const transient = (from: number, to: number) => ({
  count: 'transients' as const,
  startedAt: secondsAfterNoon(from),
  endedAt: secondsAfterNoon(to),
});

const secondsAfterNoon = (seconds: number) =>
  new Date(Date.parse('2026-11-20T12:00:00.000Z') + 1_000 * seconds);

/** A streak whose first outcome ended so many seconds after 12:00. */
const begunAfter = (seconds: number, { transients }: { transients: number }) => ({
  since: secondsAfterNoon(seconds).toISOString(),
  transients,
  refusals: 0,
});

describeTroubleStates('the states that a batch changes', ({ create, createWith }) => {
  it('begins a streak with the first outcome, and adds the later ones', async () => {
    const { states, find } = await createWith(streakless);
    const counted = await Promise.all(
      [transient(0, 2), transient(1, 3), transient(2, 4), transient(3, 5)].map((each) =>
        states.extendStreak(streakless, each),
      ),
    );
    const streak = begunAfter(2, { transients: 3 });
    expect(await find()).toEqual({ ...streakless, streak });
    expect(counted.at(-1)).toEqual(streak);
  });

  it('begins a streak with the first outcome after the latest success', async () => {
    const confirmed = { ...streakless, confirmedAt: secondsAfterNoon(1).toISOString() };
    const { states, find } = await createWith(confirmed);
    await Promise.all(
      [transient(0, 2), transient(1, 3), transient(3, 5)].map((each) =>
        states.extendStreak(confirmed, each),
      ),
    );
    const streak = begunAfter(3, { transients: 2 });
    expect(await find()).toEqual({ ...confirmed, streak });
  });

  it('tells that the epoch is over to each that would count', async () => {
    const { states, find } = await createWith(untroubled);
    const over = { ...untroubled, epoch: untroubled.epoch - 1 };
    const counts = [1, 2, 3].map(() => states.extendStreak(over, TRANSIENT));
    expect(await Promise.all(counts)).toEqual([undefined, undefined, undefined]);
    expect(await find()).toEqual(untroubled);
  });

  it('counts for each integration by itself', async () => {
    const subject = await create();
    const streak = { ...STREAK, transients: 7 };
    const other = { ...untroubled, id: `${untroubled.id}2`, streak };
    await subject.integrations.add(untroubled);
    await subject.integrations.add(other);
    const [first, second] = await Promise.all(
      [untroubled, other].map((each) => subject.states.extendStreak(each, TRANSIENT)),
    );
    expect([first?.transients, second?.transients]).toEqual([4, 8]);
  });

  it('makes a busy integration waiting with one of several successes', async () => {
    const { states, find } = await createWith(busy);
    const successes = [1, 2, 3].map(secondsAfterNoon);
    const wasBusy = await Promise.all(successes.map((at) => states.confirm(busy, at)));
    expect(wasBusy.filter(Boolean)).toHaveLength(1);
    const { streak: _, ...kept } = busy;
    const trouble = { ...busy.trouble, kind: 'waiting' };
    expect(await find()).toMatchObject({ ...kept, trouble });
    expect(await find()).not.toHaveProperty('streak');
  });

  it('begins the trouble that the first of several tells', async () => {
    const { states, find } = await createWith(untroubled);
    const began = [trouble(), later(), later()].map((each) => states.begin(untroubled, each));
    expect(await Promise.all(began)).toEqual([true, true, true]);
    expect(await find()).toEqual(failed);
  });

  it('makes of one that would be busy and failed a failed one', async () => {
    const { states, find } = await createWith(untroubled);
    const busyTrouble = trouble({ kind: 'busy', statusCode: 504 });
    const began = [busyTrouble, trouble()].map((each) => states.begin(untroubled, each));
    expect(await Promise.all(began)).toEqual([true, true]);
    expect((await find())?.trouble).toEqual(trouble());
  });
});

describe('DynamoDB', () => {
  const { tables, createWith } = useTroubleTables();

  const ten = <Result>(call: () => Promise<Result>) =>
    Promise.all(Array.from({ length: 10 }, call));

  const createWatched = async (stored: Integration, onCommand?: (command: object) => unknown) => {
    const { client, sent } = watchedClient(tables.client, onCommand && { onCommand });
    return { ...(await createWith(stored, client)), sent };
  };

  it('counts ten in two writes', async () => {
    const { states, find, sent } = await createWatched(untroubled);
    const counted = await ten(() => states.extendStreak(untroubled, TRANSIENT));
    const streak = { ...STREAK, transients: 13 };
    expect(counted).toEqual(Array(10).fill(streak));
    expect(await find()).toEqual({ ...untroubled, streak });
    expect(operationsOf(sent)).toEqual(['UpdateItem', 'UpdateItem']);
  });

  it('counts the rest anew when a success ends the streak meanwhile', async () => {
    let updates = 0;
    const endStreak = async (command: object) => {
      if (!(command instanceof UpdateCommand)) return;
      updates += 1;
      if (updates !== 2) return;
      await tables.client.send(
        new UpdateCommand({
          TableName: command.input.TableName,
          Key: command.input.Key,
          UpdateExpression: 'REMOVE streak',
        }),
      );
    };
    const { states, find } = await createWatched(untroubled, endStreak);
    const counted = await Promise.all(
      [transient(0, 1), transient(1, 2), transient(2, 3), transient(3, 4)].map((each) =>
        states.extendStreak(untroubled, each),
      ),
    );
    const streak = begunAfter(2, { transients: 3 });
    expect(await find()).toEqual({ ...untroubled, streak });
    expect(counted).toEqual(Array(4).fill(streak));
  });

  it('counts what is set aside in a while in one write', async () => {
    const { client, sent } = watchedClient(tables.client);
    const table = await tables.createTable('account', 'id');
    const integrations = new DynamoDbIntegrationWriter(tables.client, table);
    await integrations.add(untroubled);
    const states = new DynamoDbTroubleStates(client, table, { countedMs: 200 });
    const counts = ten(() => states.countSetAside(untroubled, 1));
    await new Promise(setImmediate);
    await Promise.all([counts, states.countSetAside(untroubled, -1)]);
    const { account, id } = untroubled;
    expect(await integrations.find(account, id)).toEqual({ ...untroubled, setAside: 9 });
    expect(operationsOf(sent)).toEqual(['UpdateItem']);
  });

  it('writes ten first faults as it writes one', async () => {
    const alone = await createWatched(busy);
    await alone.states.begin(busy, trouble());
    const together = await createWatched(busy);
    await ten(() => together.states.begin(busy, trouble()));
    expect(operationsOf(together.sent)).toEqual(operationsOf(alone.sent));
    expect(await together.find()).toEqual(await alone.find());
  });
});
