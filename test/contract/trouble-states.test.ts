import { describe, expect, it } from 'vitest';
import {
  ATTEMPT,
  busy,
  claimAt,
  describeTroubleStates,
  failed,
  later,
  latest,
  trouble,
  untroubled,
  waiting,
} from '../support/adapters/trouble-state-subjects.ts';

describeTroubleStates('troubles', ({ createWith }) => {
  describe('begin', () => {
    it.each(['waiting', 'busy', 'failed'] as const)(
      'makes an untroubled integration %s',
      async (kind) => {
        const { states, find } = await createWith(untroubled);
        const trouble = later({ kind, confirmedOthers: true, event: 'evt_1' });
        expect(await states.begin(untroubled, trouble)).toBe(true);
        expect(await find()).toEqual({ ...untroubled, trouble });
      },
    );

    it.each([
      ['waiting', 'busy', waiting],
      ['waiting', 'failed', waiting],
      ['busy', 'failed', busy],
    ] as const)(
      'makes a %s integration %s, whose schedule keeps its times',
      async (_, kind, stored) => {
        const { nextAttemptAt } = stored.trouble;
        const times = { nextAttemptAt, claimedAt: '2026-11-20T12:00:03.000Z' };
        const before = trouble({ ...stored.trouble, ...times, confirmedOthers: true });
        const { states, find } = await createWith({ ...stored, trouble: before });
        expect(await states.begin(stored, later({ kind }))).toBe(true);
        expect(await find()).toEqual({ ...stored, trouble: later({ kind, ...times }) });
      },
    );

    it('has the status of the later trouble in place of the earlier reason', async () => {
      const { states, find } = await createWith({ ...busy, trouble: later({ kind: 'busy' }) });
      expect(await states.begin(busy, trouble())).toBe(true);
      const { nextAttemptAt } = later();
      expect(await find()).toEqual({ ...busy, trouble: trouble({ nextAttemptAt }) });
    });

    it.each([
      ['waiting', 'waiting', waiting],
      ['busy', 'waiting', busy],
      ['busy', 'busy', busy],
      ['failed', 'waiting', failed],
      ['failed', 'busy', failed],
      ['failed', 'failed', failed],
    ] as const)('leaves a %s integration as it is that would be %s', async (_, kind, stored) => {
      const { states, find } = await createWith(stored);
      expect(await states.begin(stored, later({ kind }))).toBe(true);
      expect(await find()).toEqual(stored);
    });

    it.each([
      ['untroubled', 'busy', untroubled],
      ['waiting', 'failed', waiting],
    ] as const)(
      'makes an integration in a streak that is %s %s, if it does so only in a streak',
      async (_, kind, stored) => {
        const { states, find } = await createWith(stored);
        expect(await states.begin(stored, later({ kind }), { onlyInStreak: true })).toBe(true);
        expect((await find())?.trouble).toMatchObject({ kind });
      },
    );

    it.each([
      ['untroubled', 'busy', untroubled, false],
      ['waiting', 'busy', waiting, false],
      ['busy', 'failed', busy, false],
      ['busy', 'busy', busy, true],
      ['failed', 'busy', failed, true],
    ] as const)(
      'leaves an integration without a streak as it is that is %s and would be %s',
      async (_, kind, { streak: __, ...stored }, isSo) => {
        const { states, find } = await createWith(stored);
        expect(await states.begin(stored, later({ kind }), { onlyInStreak: true })).toBe(isSo);
        expect(await find()).toEqual(stored);
      },
    );
  });

  describe('end', () => {
    const { streak: _, ...ended } = { ...untroubled, epoch: 5 };
    const confirmedAt = ATTEMPT.startedAt.toISOString();

    it.each([waiting, busy, failed])(
      'ends a $trouble.kind trouble, and its streak',
      async (stored) => {
        const { states, find } = await createWith(stored);
        expect(await states.end(stored)).toBe(true);
        expect(await find()).toEqual(ended);
      },
    );

    it('keeps when the success began that ends the trouble', async () => {
      const { states, find } = await createWith(failed);
      expect(await states.end(failed, { confirmedAt: ATTEMPT.startedAt })).toBe(true);
      expect(await find()).toEqual({ ...ended, confirmedAt });
    });

    it('keeps a later success that is known already', async () => {
      const known = { confirmedAt: ATTEMPT.endedAt.toISOString() };
      const { states, find } = await createWith({ ...failed, ...known });
      expect(await states.end(failed, { confirmedAt: ATTEMPT.startedAt })).toBe(true);
      // Told again.
      expect(await states.end(failed, { confirmedAt: ATTEMPT.startedAt })).toBe(true);
      expect(await find()).toEqual({ ...ended, ...known });
    });

    it('reports again that the success ended the trouble when it is repeated', async () => {
      const { states, find } = await createWith(failed);
      await states.end(failed, { confirmedAt: ATTEMPT.startedAt });
      expect(await states.end(failed, { confirmedAt: ATTEMPT.startedAt })).toBe(true);
      expect(await states.end(failed, { confirmedAt: ATTEMPT.endedAt })).toBe(false);
      expect(await find()).toEqual({ ...ended, confirmedAt });
    });

    it('does nothing to an untroubled one', async () => {
      const { states, find } = await createWith(untroubled);
      expect(await states.end(untroubled, { confirmedAt: ATTEMPT.startedAt })).toBe(false);
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
    it.each([untroubled, waiting])(
      'ends the epoch and the trouble of a $trouble.kind integration',
      async (stored) => {
        const { states, find } = await createWith(stored);
        expect(await states.closeEpoch(stored)).toBe(true);
        expect(await find()).toEqual({ ...untroubled, epoch: 5 });
      },
    );

    it.each([busy, failed])('leaves a $trouble.kind one as it is', async (stored) => {
      const { states, find } = await createWith(stored);
      expect(await states.closeEpoch(stored)).toBe(false);
      expect(await find()).toEqual(stored);
    });
  });

  describe('claimRetry', () => {
    it.each([busy, failed])(
      'gives the first retry of a $trouble.kind one, whenever it fires',
      async (stored) => {
        const { states, find } = await createWith(stored);
        const early = claimAt('2026-11-20T12:00:01.000Z');
        expect(await states.claimRetry(stored, early)).toBe(true);
        const [claimedAt, nextAttemptAt] = ['2026-11-20T12:00:01.000Z', '2026-11-20T13:00:01.000Z'];
        const trouble = { ...stored.trouble, claimedAt, claimedBy: 'a message', nextAttemptAt };
        expect(await find()).toEqual({ ...stored, trouble });
      },
    );

    it.each([
      ['12:29:59.999', false],
      ['12:30:00.000', true],
      ['13:00:00.000', true],
    ])('after a retry at twelve gives one at %s: %s', async (time, isGiven) => {
      const { states, find } = await createWith(failed);
      await states.claimRetry(failed, claimAt('2026-11-20T12:00:00.000Z', 'one'));
      const claimed = await find();
      const claim = claimAt(`2026-11-20T${time}Z`, 'another');
      expect(await states.claimRetry(failed, claim)).toBe(isGiven);
      if (!isGiven) expect(await find()).toEqual(claimed);
    });

    it('gives one retry to a schedule that fires twice', async () => {
      const { states } = await createWith(failed);
      const fire = (message: string) =>
        states.claimRetry(failed, claimAt('2026-11-20T13:30:00.000Z', message));
      expect((await Promise.all([fire('one'), fire('two')])).toSorted()).toEqual([false, true]);
      expect(await fire('three')).toBe(false);
    });

    it('gives the retry again to its message only', async () => {
      const { states } = await createWith(failed);
      const fire = (time: string, message: string) =>
        states.claimRetry(failed, claimAt(`2026-11-20T${time}Z`, message));
      expect(await fire('13:00:00.000', 'one')).toBe(true);
      expect(await fire('13:01:00.000', 'two')).toBe(false);
      expect(await fire('13:02:00.000', 'one')).toBe(true);
    });

    it('has none for an untroubled one', async () => {
      const { states, find } = await createWith(untroubled);
      expect(await states.claimRetry(untroubled, claimAt('2026-11-20T13:00:00Z'))).toBe(false);
      expect(await find()).toEqual(untroubled);
    });
  });

  describe('noteConfirmed', () => {
    const at = (hour: number) => new Date(`2026-11-20T${hour}:00:00.000Z`);

    it.each([untroubled, failed])('keeps the latest success', async ({ streak: _, ...stored }) => {
      const { states, find } = await createWith(stored);
      for (const hour of [13, 14, 12]) await states.noteConfirmed(stored, at(hour));
      expect(await find()).toEqual({ ...stored, confirmedAt: at(14).toISOString() });
    });

    it('leaves a streak to the success that ends it', async () => {
      const streak = { since: '2026-11-20T12:00:00.000Z', transients: 1, refusals: 0 };
      const { states, find } = await createWith({ ...untroubled, streak });
      await states.noteConfirmed(untroubled, at(13));
      expect(await find()).toEqual({ ...untroubled, streak });
    });

    it('keeps nothing of an epoch that is over', async () => {
      const { states, find } = await createWith(failed);
      await states.noteConfirmed({ ...failed, epoch: failed.epoch - 1 }, at(13));
      expect(await find()).toEqual(failed);
    });
  });

  describe('noteAttempt', () => {
    const { kind, since, nextAttemptAt } = trouble();

    it('takes over a status in place of a reason', async () => {
      const { states, find } = await createWith({ ...failed, trouble: later() });
      expect(await states.noteAttempt(failed, latest)).toBe(true);
      const { since, nextAttemptAt } = later();
      const trouble = { kind, since, nextAttemptAt, ...latest };
      expect(await find()).toStrictEqual({ ...failed, trouble });
    });

    it('takes over a reason in place of a status', async () => {
      const { states, find } = await createWith(failed);
      const noAnswer = {
        reason: 'connection-refused',
        lastAttemptAt: '2026-11-20T13:00:05.000Z',
      };
      await states.noteAttempt(failed, noAnswer);
      const trouble = { kind, since, nextAttemptAt, ...noAnswer };
      expect(await find()).toStrictEqual({ ...failed, trouble });
    });

    it('keeps how far a walk has come, until a later one is given', async () => {
      const { states, find } = await createWith(failed);
      await states.noteAttempt(failed, { ...latest, walkedTo: 'place 7' });
      await states.noteAttempt(failed, latest);
      const trouble = { kind, since, nextAttemptAt, ...latest, walkedTo: 'place 7' };
      expect(await find()).toStrictEqual({ ...failed, trouble });
    });

    it('tells an untroubled one nothing', async () => {
      const { states, find } = await createWith(untroubled);
      expect(await states.noteAttempt(untroubled, latest)).toBe(false);
      expect(await find()).toEqual(untroubled);
    });
  });
});
