import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Integration } from '../../core/integration/integration.ts';
import { type EmulatedTables, startTables } from '../support/adapters/emulated-tables.ts';
import {
  ATTEMPT,
  busy,
  claim,
  createWith as createSubjectWith,
  failed,
  inMemory,
  inTableOf,
  later,
  latest,
  type TroubleStateSubject,
  trouble,
  untroubled,
} from '../support/adapters/trouble-state-subjects.ts';
import { anIntegration } from '../support/integration/integrations.ts';

const rowless = anIntegration({ epoch: 4 });

const deliveryStatesContract = (name: string, create: () => Promise<TroubleStateSubject>) =>
  describe(`${name} as the keeper of troubles`, () => {
    const createWith = (stored: Integration) => createSubjectWith(create, stored);

    describe('countTransient', () => {
      it.each([untroubled, busy, failed])('adds one, $trouble.kind or not', async (stored) => {
        const { states, find } = await createWith(stored);
        expect(await states.countTransient(stored, ATTEMPT)).toMatchObject({ transients: 4 });
        expect(await find()).toEqual({ ...stored, transients: 4 });
      });

      it('begins a row when the first outcome is known', async () => {
        const { states, find } = await createWith(rowless);
        const row = { transients: 1, transientsSince: ATTEMPT.endedAt.toISOString() };
        expect(await states.countTransient(rowless, ATTEMPT)).toMatchObject(row);
        expect(await find()).toEqual({ ...rowless, ...row });
      });

      it('counts none whose attempt began before the row did', async () => {
        const { states, find } = await createWith(untroubled);
        const early = { ...ATTEMPT, startedAt: new Date('2026-11-20T11:59:59.999Z') };
        expect(await states.countTransient(untroubled, early)).toMatchObject({ transients: 3 });
        expect(await find()).toEqual(untroubled);
      });

      it('counts each of those that come side by side', async () => {
        const { states, find } = await createWith(untroubled);
        await Promise.all(
          Array.from({ length: 10 }, () => states.countTransient(untroubled, ATTEMPT)),
        );
        expect(await find()).toEqual({ ...untroubled, transients: 13 });
      });
    });

    describe('confirm', () => {
      it.each([
        ['active', untroubled, false],
        ['busy', busy, true],
        ['failed', failed, false],
      ] as const)('ends the row of one that is %s', async (_is, stored, isBusy) => {
        const { states, find } = await createWith(stored);
        expect(await states.confirm(stored, ATTEMPT.endedAt)).toBe(isBusy);
        const { transientsSince: _, ...kept } = stored;
        const confirmedAt = ATTEMPT.endedAt.toISOString();
        expect(await find()).toEqual({ ...kept, transients: 0, confirmedAt });
      });
    });

    it('marks that a replay is awaited, until the epoch is closed', async () => {
      const { states, find } = await createWith(untroubled);
      await states.awaitReplay(untroubled);
      expect(await find()).toEqual({ ...untroubled, awaitsReplay: true });
      await states.closeEpoch(untroubled, 7);
      expect(await find()).toEqual({ ...untroubled, epoch: 7 });
    });

    describe('begin', () => {
      it.each([
        ['untroubled', 'busy', untroubled, later({ kind: 'busy' })],
        ['untroubled', 'failed', untroubled, later()],
        [
          'busy',
          'failed',
          busy,
          later({
            nextAttemptAt: busy.trouble.nextAttemptAt,
            statusCode: 500,
            reason: undefined,
          }),
        ],
        [
          'busy',
          'failed without an answer',
          busy,
          later({
            nextAttemptAt: busy.trouble.nextAttemptAt,
            statusCode: undefined,
            reason: 'the connection was refused',
          }),
        ],
      ])('makes a %s one %s', async (_from, _to, stored, trouble) => {
        const { states, find } = await createWith(stored);
        expect(await states.begin(stored, trouble)).toBe(true);
        expect(await find()).toEqual({ ...stored, trouble });
      });

      it.each([
        ['failed', 'failed', failed, later()],
        ['failed', 'busy', failed, later({ kind: 'busy' })],
        ['busy', 'busy', busy, later({ kind: 'busy' })],
      ])('leaves a %s one as it is that would be %s', async (_is, _would, stored, trouble) => {
        const { states, find } = await createWith(stored);
        expect(await states.begin(stored, trouble)).toBe(true);
        expect(await find()).toEqual(stored);
      });
    });

    describe('end', () => {
      it.each([busy, failed])('makes a $trouble.kind one untroubled', async (stored) => {
        const { states, find } = await createWith(stored);
        expect(await states.end(stored)).toBe(true);
        const { transientsSince: _, ...kept } = untroubled;
        expect(await find()).toEqual({ ...kept, epoch: 5, transients: 0 });
      });

      it('keeps the success that ends it, and awaits no replay any more', async () => {
        const { states, find } = await createWith({ ...busy, awaitsReplay: true });
        await states.end(busy, ATTEMPT.endedAt);
        const { transientsSince: _, ...kept } = untroubled;
        const confirmedAt = ATTEMPT.endedAt.toISOString();
        expect(await find()).toEqual({ ...kept, epoch: 5, transients: 0, confirmedAt });
      });

      it('does nothing to an untroubled one', async () => {
        const { states, find } = await createWith(untroubled);
        expect(await states.end(untroubled)).toBe(false);
        expect(await find()).toEqual(untroubled);
      });

      it('lets one of many that come side by side end the trouble', async () => {
        const { states, find } = await createWith(failed);
        const left = await Promise.all(Array.from({ length: 5 }, () => states.end(failed)));
        expect(left.filter((wasInTrouble) => wasInTrouble)).toHaveLength(1);
        expect((await find())?.epoch).toBe(5);
      });
    });

    describe('closeEpoch', () => {
      it('raises the epoch of an untroubled one', async () => {
        const { states, find } = await createWith(untroubled);
        expect(await states.closeEpoch(untroubled, 7)).toBe(true);
        expect(await find()).toEqual({ ...untroubled, epoch: 7 });
      });

      it.each([busy, failed])('leaves a $trouble.kind one as it is', async (stored) => {
        const { states, find } = await createWith(stored);
        expect(await states.closeEpoch(stored, 7)).toBe(false);
        expect(await find()).toEqual(stored);
      });
    });

    describe('claimRetry', () => {
      const nextAttemptAt = '2026-11-20T14:00:00.000Z';

      it.each([busy, failed])(
        'gives a retry that is due of a $trouble.kind one',
        async (stored) => {
          const { states, find } = await createWith(stored);
          const exactly = claim(trouble().nextAttemptAt);
          expect(await states.claimRetry(stored, exactly)).toBe(true);
          expect(await find()).toEqual({
            ...stored,
            trouble: { ...stored.trouble, nextAttemptAt },
          });
        },
      );

      it('does not give one that is not due', async () => {
        const { states, find } = await createWith(failed);
        expect(await states.claimRetry(failed, claim('2026-11-20T12:59:59.999Z'))).toBe(false);
        expect(await find()).toEqual(failed);
      });

      it('gives one retry to a schedule that fires twice', async () => {
        const { states } = await createWith(failed);
        const fire = () => states.claimRetry(failed, claim('2026-11-20T13:30:00.000Z'));
        expect((await Promise.all([fire(), fire()])).toSorted()).toEqual([false, true]);
        expect(await fire()).toBe(false);
      });

      it('has none for an untroubled one', async () => {
        const { states, find } = await createWith(untroubled);
        expect(await states.claimRetry(untroubled, claim('2026-11-20T13:00:00Z'))).toBe(false);
        expect(await find()).toEqual(untroubled);
      });
    });

    describe('noteAttempt', () => {
      const { kind, since, nextAttemptAt } = trouble();

      it('takes over a status in place of a reason', async () => {
        const { states, find } = await createWith({ ...failed, trouble: later() });
        await states.noteAttempt(failed, latest);
        const { since, nextAttemptAt } = later();
        const trouble = { kind, since, nextAttemptAt, ...latest };
        expect(await find()).toStrictEqual({ ...failed, trouble });
      });

      it('takes over a reason in place of a status', async () => {
        const { states, find } = await createWith(failed);
        const noAnswer = {
          reason: 'the connection was refused',
          lastAttemptAt: '2026-11-20T13:00:05.000Z',
        };
        await states.noteAttempt(failed, noAnswer);
        const trouble = { kind, since, nextAttemptAt, ...noAnswer };
        expect(await find()).toStrictEqual({ ...failed, trouble });
      });

      it('tells an untroubled one nothing', async () => {
        const { states, find } = await createWith(untroubled);
        await states.noteAttempt(untroubled, latest);
        expect(await find()).toEqual(untroubled);
      });
    });
  });

deliveryStatesContract('memory', inMemory);

describe('DynamoDB', () => {
  let tables: EmulatedTables;
  beforeAll(async () => {
    tables = await startTables();
  });
  afterAll(() => tables.stop());

  deliveryStatesContract('a table', () => inTableOf(tables));
});
