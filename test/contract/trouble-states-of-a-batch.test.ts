import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TroubleStates } from '../../core/delivery/trouble/troubles.ts';
import { type EmulatedTables, startTables } from '../support/adapters/emulated-tables.ts';
import {
  ATTEMPT,
  busy,
  createWith as createSubjectWith,
  failed,
  inMemory,
  inTableOf,
  later,
  type TroubleStateSubject,
  trouble,
  untroubled,
} from '../support/adapters/trouble-state-subjects.ts';
import { operationsOf, watchedClient } from '../support/adapters/watched-client.ts';
import { anIntegration } from '../support/integration/integrations.ts';

const rowless = anIntegration({ epoch: 4 });

/** An attempt between two instants, each in seconds after 12:00. */
const attempt = (from: number, to: number) => ({
  startedAt: secondsAfterNoon(from),
  endedAt: secondsAfterNoon(to),
});

const secondsAfterNoon = (seconds: number) =>
  new Date(Date.parse('2026-11-20T12:00:00.000Z') + 1_000 * seconds);

const batchContract = (name: string, create: () => Promise<TroubleStateSubject>) =>
  describe(`${name} as the keeper of troubles that a batch tells`, () => {
    it('begins a row with the first outcome, and adds those that began after it', async () => {
      const { states, find } = await createSubjectWith(create, rowless);
      const counted = await Promise.all(
        [attempt(0, 2), attempt(1, 3), attempt(2, 4), attempt(3, 5)].map((each) =>
          states.countTransient(rowless, each),
        ),
      );
      const row = { transients: 3, transientsSince: secondsAfterNoon(2).toISOString() };
      expect(await find()).toEqual({ ...rowless, ...row });
      expect(counted.at(-1)).toMatchObject(row);
    });

    it('tells that the epoch is over to each that would count', async () => {
      const { states, find } = await createSubjectWith(create, untroubled);
      const over = { ...untroubled, epoch: untroubled.epoch - 1 };
      const counts = [1, 2, 3].map(() => states.countTransient(over, ATTEMPT));
      expect(await Promise.all(counts)).toEqual([undefined, undefined, undefined]);
      expect(await find()).toEqual(untroubled);
    });

    it('counts for each integration by itself', async () => {
      const subject = await create();
      const other = { ...untroubled, id: `${untroubled.id}2`, transients: 7 };
      await subject.integrations.add(untroubled);
      await subject.integrations.add(other);
      const [first, second] = await Promise.all(
        [untroubled, other].map((each) => subject.states.countTransient(each, ATTEMPT)),
      );
      expect([first?.transients, second?.transients]).toEqual([4, 8]);
    });

    it('keeps the latest of several successes', async () => {
      const { states, find } = await createSubjectWith(create, busy);
      const instants = [1, 2, 3].map(secondsAfterNoon);
      const isBusy = await Promise.all(instants.map((at) => states.confirm(busy, at)));
      expect(isBusy).toEqual([true, true, true]);
      expect((await find())?.confirmedAt).toBe(secondsAfterNoon(3).toISOString());
    });

    it('begins the trouble that the first of several tells', async () => {
      const { states, find } = await createSubjectWith(create, untroubled);
      const began = [trouble(), later(), later()].map((each) => states.begin(untroubled, each));
      expect(await Promise.all(began)).toEqual([true, true, true]);
      expect(await find()).toEqual(failed);
    });

    it('makes of one that would be busy and failed a failed one', async () => {
      const { states, find } = await createSubjectWith(create, untroubled);
      const busyTrouble = trouble({ kind: 'busy', statusCode: 504 });
      const began = [busyTrouble, trouble()].map((each) => states.begin(untroubled, each));
      expect(await Promise.all(began)).toEqual([true, true]);
      expect((await find())?.trouble).toEqual(trouble());
    });

    it('marks once that a replay is awaited', async () => {
      const { states, find } = await createSubjectWith(create, untroubled);
      await Promise.all([1, 2, 3].map(() => states.awaitReplay(untroubled)));
      expect(await find()).toEqual({ ...untroubled, awaitsReplay: true });
    });
  });

batchContract('memory', inMemory);

describe('DynamoDB', () => {
  let tables: EmulatedTables;
  beforeAll(async () => {
    tables = await startTables();
  });
  afterAll(() => tables.stop());

  batchContract('a table', () => inTableOf(tables));

  const ten = <Result>(call: () => Promise<Result>) =>
    Promise.all(Array.from({ length: 10 }, call));

  const createWatched = async (
    stored: typeof rowless,
    onCommand?: (command: object) => unknown,
  ) => {
    const { client, sent } = watchedClient(tables.client, onCommand && { onCommand });
    return { ...(await createSubjectWith(() => inTableOf(tables, client), stored)), sent };
  };

  it('counts ten in two writes', async () => {
    const { states, find, sent } = await createWatched(untroubled);
    const counted = await ten(() => states.countTransient(untroubled, ATTEMPT));
    expect(counted.map((row) => row?.transients)).toEqual(Array(10).fill(13));
    expect((await find())?.transients).toBe(13);
    expect(operationsOf(sent)).toEqual(['UpdateItem', 'UpdateItem']);
  });

  it('counts the rest anew when a success ends the row meanwhile', async () => {
    let updates = 0;
    const endRow = async (command: object) => {
      if (!(command instanceof UpdateCommand)) return;
      updates += 1;
      if (updates !== 2) return;
      await tables.client.send(
        new UpdateCommand({
          ...command.input,
          UpdateExpression: 'SET transients = :zero REMOVE transientsSince',
          ConditionExpression: undefined,
          ExpressionAttributeValues: { ':zero': 0 },
        }),
      );
    };
    const { states, find } = await createWatched(untroubled, endRow);
    const counted = await Promise.all(
      [attempt(0, 1), attempt(1, 2), attempt(2, 3), attempt(3, 4)].map((each) =>
        states.countTransient(untroubled, each),
      ),
    );
    const row = { transients: 3, transientsSince: secondsAfterNoon(2).toISOString() };
    expect(await find()).toEqual({ ...untroubled, ...row });
    expect(counted).toEqual(Array(4).fill(expect.objectContaining(row)));
  });

  it.each([
    ['successes', (states) => states.confirm(busy, ATTEMPT.endedAt)],
    ['first faults', (states) => states.begin(busy, trouble())],
    ['arrivals behind pending events', (states) => states.awaitReplay(busy)],
  ] satisfies [string, (states: TroubleStates) => Promise<unknown>][])(
    'writes ten %s as it writes one',
    async (_of, call: (states: TroubleStates) => Promise<unknown>) => {
      const alone = await createWatched(busy);
      await call(alone.states);
      const together = await createWatched(busy);
      await ten(() => call(together.states));
      expect(operationsOf(together.sent)).toEqual(operationsOf(alone.sent));
      expect(await together.find()).toEqual(await alone.find());
    },
  );
});
