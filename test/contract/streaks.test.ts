import { describe, expect, it } from 'vitest';
import {
  ATTEMPT,
  busy,
  describeTroubleStates,
  failed,
  STREAK,
  streakless,
  TRANSIENT,
  untroubled,
  waiting,
} from '../support/adapters/trouble-state-subjects.ts';

const REFUSAL = { ...TRANSIENT, count: 'refusals' } as const;
const JUST_BEFORE = new Date('2026-11-20T11:59:59.999Z');
const BEGUN = { since: ATTEMPT.endedAt.toISOString(), transients: 0, refusals: 0 };

describeTroubleStates('streaks', ({ createWith }) => {
  describe('an outcome', () => {
    it.each([untroubled, waiting, busy, failed])(
      'extends the streak of an integration, $trouble.kind or not',
      async (stored) => {
        const { states, find } = await createWith(stored);
        const streak = { ...STREAK, transients: 4 };
        expect(await states.extendStreak(stored, TRANSIENT)).toEqual(streak);
        expect(await find()).toEqual({ ...stored, streak });
      },
    );

    it('extends the streak as a refusal, beside the transient outcomes', async () => {
      const { states, find } = await createWith(untroubled);
      const streak = { ...STREAK, refusals: 2 };
      expect(await states.extendStreak(untroubled, REFUSAL)).toEqual(streak);
      expect(await find()).toEqual({ ...untroubled, streak });
    });

    it.each([
      ['transient', TRANSIENT, { ...BEGUN, transients: 1 }],
      ['a refusal', REFUSAL, { ...BEGUN, refusals: 1 }],
    ] as const)('begins a streak at its end: %s', async (_which, outcome, streak) => {
      const { states, find } = await createWith(streakless);
      expect(await states.extendStreak(streakless, outcome)).toEqual(streak);
      expect(await find()).toEqual({ ...streakless, streak });
    });

    it('does not count if its attempt began before the streak did', async () => {
      const { states, find } = await createWith(untroubled);
      const early = { ...TRANSIENT, startedAt: JUST_BEFORE };
      expect(await states.extendStreak(untroubled, early)).toEqual(STREAK);
      expect(await find()).toEqual(untroubled);
    });

    const confirmed = { ...streakless, confirmedAt: ATTEMPT.startedAt.toISOString() };

    it('begins no streak if its attempt began before that of a known success', async () => {
      const { states, find } = await createWith(confirmed);
      const early = { ...TRANSIENT, startedAt: JUST_BEFORE };
      expect(await states.extendStreak(confirmed, early)).toBeUndefined();
      expect(await find()).toEqual(confirmed);
    });

    it('begins a streak if its attempt began as early as a known success', async () => {
      const { states, find } = await createWith(confirmed);
      const streak = { ...BEGUN, transients: 1 };
      expect(await states.extendStreak(confirmed, TRANSIENT)).toEqual(streak);
      expect(await find()).toEqual({ ...confirmed, streak });
    });

    it('is counted with each that comes beside it', async () => {
      const { states, find } = await createWith(untroubled);
      await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          states.extendStreak(untroubled, n % 2 === 0 ? TRANSIENT : REFUSAL),
        ),
      );
      const streak = { ...STREAK, transients: 8, refusals: 6 };
      expect(await find()).toEqual({ ...untroubled, streak });
    });
  });

  describe('a success', () => {
    const confirmedAt = ATTEMPT.startedAt.toISOString();

    it.each([
      ['untroubled', untroubled],
      ['waiting', waiting],
      ['failed', failed],
    ])('ends the streak of an integration that is %s', async (_is, stored) => {
      const { states, find } = await createWith(stored);
      expect(await states.confirm(stored, ATTEMPT.startedAt)).toBe(false);
      const { streak: _, ...kept } = stored;
      expect(await find()).toEqual({ ...kept, confirmedAt });
    });

    it('makes a busy integration waiting, and keeps its schedule', async () => {
      const { states, find } = await createWith(busy);
      expect(await states.confirm(busy, ATTEMPT.startedAt)).toBe(true);
      const { streak: _, ...kept } = busy;
      const trouble = { ...busy.trouble, kind: 'waiting' };
      expect(await find()).toEqual({ ...kept, trouble, confirmedAt });
    });

    it('tells once more that the integration was busy when it is told again', async () => {
      const { states, find } = await createWith(busy);
      await states.confirm(busy, ATTEMPT.startedAt);
      const after = await find();
      expect(await states.confirm(busy, ATTEMPT.startedAt)).toBe(true);
      expect(await find()).toEqual(after);
    });

    it.each([
      ['of an attempt before the streak', busy, JUST_BEFORE],
      ['of an integration without a streak', streakless, ATTEMPT.startedAt],
    ])('changes nothing %s', async (_which, stored, at) => {
      const { states, find } = await createWith(stored);
      expect(await states.confirm(stored, at)).toBe(false);
      expect(await find()).toEqual(stored);
    });
  });
});
