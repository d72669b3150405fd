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

  describe('begin because of an attempt from before the latest success', () => {
    it.each([
      ['busy', untroubled],
      ['failed', untroubled],
      ['failed', waiting],
    ] as const)('does not make %s', async (kind, stored) => {
      const known = { ...stored, confirmedAt: '2026-11-20T12:30:00.001Z' };
      const { states, find } = await createWith(known);
      const lastAttemptAt = '2026-11-20T12:30:00.000Z';
      expect(await states.begin(known, later({ kind, lastAttemptAt }))).toBe(false);
      expect(await find()).toEqual(known);
      const since = later({ kind, lastAttemptAt: known.confirmedAt });
      expect(await states.begin(known, since)).toBe(true);
    });
  });

  describe('recover', () => {
    const confirmedAt = ATTEMPT.startedAt.toISOString();
    const recovered = ({ streak: _, ...stored }: typeof failed) => ({
      ...stored,
      trouble: { ...stored.trouble, kind: 'waiting' },
    });

    it.each([busy, failed])(
      'makes a $trouble.kind one waiting, and ends its streak',
      async (stored) => {
        const ofEvent = { ...stored.trouble, event: 'evt_1', confirmedOthers: true };
        const { states, find } = await createWith({ ...stored, trouble: ofEvent });
        expect(await states.recover(stored)).toBe(true);
        expect(await find()).toEqual(recovered(stored));
      },
    );

    it('keeps when the success began, and who requested it', async () => {
      const { states, find } = await createWith(failed);
      expect(await states.recover(failed, { confirmedAt: ATTEMPT.startedAt })).toBe(true);
      expect(await find()).toEqual({ ...recovered(failed), confirmedAt });
      const requested = await createWith(failed);
      const requestedBy = { kind: 'operator', at: confirmedAt } as const;
      expect(await requested.states.recover(failed, { requestedBy })).toBe(true);
      expect(await requested.find()).toEqual({ ...recovered(failed), changedBy: requestedBy });
    });

    it('keeps a later success that is known already', async () => {
      const known = { confirmedAt: ATTEMPT.endedAt.toISOString() };
      const { states, find } = await createWith({ ...failed, ...known });
      expect(await states.recover(failed, { confirmedAt: ATTEMPT.startedAt })).toBe(true);
      expect(await find()).toEqual({ ...recovered(failed), ...known });
    });

    it('reports a repeated success again', async () => {
      const { states, find } = await createWith(failed);
      await states.recover(failed, { confirmedAt: ATTEMPT.startedAt });
      expect(await states.recover(failed, { confirmedAt: ATTEMPT.startedAt })).toBe(true);
      expect(await states.recover(failed, { confirmedAt: ATTEMPT.endedAt })).toBe(false);
      expect(await find()).toEqual({ ...recovered(failed), confirmedAt });
    });

    it.each([untroubled, waiting])('does nothing to a $trouble.kind one', async (stored) => {
      const { states, find } = await createWith(stored);
      expect(await states.recover(stored, { confirmedAt: ATTEMPT.startedAt })).toBe(false);
      expect(await find()).toEqual(stored);
    });

    it('is done by one of many that come side by side', async () => {
      const { states } = await createWith(failed);
      const done = await Promise.all(Array.from({ length: 5 }, () => states.recover(failed)));
      expect(done.filter((isDone) => isDone)).toHaveLength(1);
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

  describe('noteReplaying', () => {
    it('notes a replay until it is over, in its epoch', async () => {
      const { states, find } = await createWith(untroubled);
      const until = new Date('2026-11-20T13:00:00.000Z');
      await states.noteReplaying({ ...untroubled, epoch: untroubled.epoch - 1 }, until);
      expect(await find()).toEqual(untroubled);
      await states.noteReplaying(untroubled, until);
      expect(await find()).toEqual({ ...untroubled, replayingUntil: until.toISOString() });
      await states.noteReplaying(untroubled, undefined);
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
