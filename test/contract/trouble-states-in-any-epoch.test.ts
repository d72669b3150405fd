import { describe, expect, it } from 'vitest';
import { DynamoDbTroubleStates } from '../../adapters/dynamodb/dynamodb-trouble-states.ts';
import type { Integration } from '../../core/integration/integration.ts';
import {
  createWith as createSubjectWith,
  failed,
  inMemory,
  inTableOf,
  type TroubleStateSubject,
  untroubled,
} from '../support/adapters/trouble-state-subjects.ts';
import { useTables } from '../support/adapters/use-tables.ts';

const NOTED = { score: 12, notedAt: '2026-11-20T12:00:00.000Z' };
const LATER = { score: 16, notedAt: '2026-11-20T12:00:05.000Z' };
const FAST = { score: 0, notedAt: '2026-11-20T12:00:05.000Z' };

const anyEpochContract = (name: string, create: () => Promise<TroubleStateSubject>) =>
  describe(`${name} as the keeper of what holds in any epoch`, () => {
    const createWith = (stored: Integration) => createSubjectWith(create, stored);
    const slow = { ...failed, slowness: NOTED };

    it('notes how slow an endpoint is', async () => {
      const { states, find } = await createWith(failed);
      await states.noteSlowness({ ...failed, epoch: 3 }, NOTED);
      expect(await find()).toEqual(slow);
    });

    it('notes how slow an endpoint is now, if nothing was noted since it was read', async () => {
      const { states, find } = await createWith(slow);
      await states.noteSlowness({ ...slow, epoch: 3 }, LATER);
      expect(await find()).toEqual({ ...slow, slowness: LATER });
    });

    it('removes the note of an endpoint that is fast', async () => {
      const { states, find } = await createWith(slow);
      await states.noteSlowness(slow, FAST);
      expect(await find()).toEqual(failed);
    });

    it('needs no note of an endpoint that was fast and still is', async () => {
      const { states, find } = await createWith(failed);
      await states.noteSlowness(failed, FAST);
      expect(await find()).toEqual(failed);
    });

    it.each([
      ['that had none when it was read', failed, LATER],
      ['that had another when it was read', { ...failed, slowness: LATER }, LATER],
      ['that had another when it was read and is fast', { ...failed, slowness: LATER }, FAST],
    ])('leaves the note of an integration %s', async (_which, read, slowness) => {
      const { states, find } = await createWith(slow);
      await states.noteSlowness(read, slowness);
      expect(await find()).toEqual(slow);
    });

    it('leaves an integration without a note that had one when it was read', async () => {
      const { states, find } = await createWith(failed);
      await states.noteSlowness(slow, LATER);
      expect(await find()).toEqual(failed);
    });

    it('counts what is set aside, those that come side by side too', async () => {
      const { states, find } = await createWith(untroubled);
      const inEarlierEpoch = { ...untroubled, epoch: 3 };
      await Promise.all(Array.from({ length: 3 }, () => states.countSetAside(inEarlierEpoch, 1)));
      await states.countSetAside(untroubled, -1);
      expect(await find()).toEqual({ ...untroubled, setAside: 2 });
    });

    it('does not bring back an integration that is gone', async () => {
      const { states, integrations } = await create();
      await states.noteSlowness(untroubled, NOTED);
      await states.noteSlowness(slow, LATER);
      await states.noteSlowness(slow, FAST);
      await states.countSetAside(untroubled, 1);
      expect(await integrations.find(untroubled.account, untroubled.id)).toBeUndefined();
    });
  });

anyEpochContract('memory', inMemory);

describe('DynamoDB', () => {
  const tables = useTables();

  anyEpochContract('a table', () => inTableOf(tables));

  it('tells of a table that does not exist', async () => {
    const states = new DynamoDbTroubleStates(tables.client, 'no-such-table');
    await expect(states.noteSlowness(untroubled, NOTED)).rejects.toThrow();
    await expect(states.countSetAside(untroubled, 1)).rejects.toThrow();
  });
});
