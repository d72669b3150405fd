import { describe, expect, it } from 'vitest';
import { type Attempt, classify, type PostResult } from '../../../../core/delivery/attempt.ts';
import type { ReplayRequests } from '../../../../core/delivery/pending/replay-requests.ts';
import { buildTroubles, latestAttempt } from '../../../../core/delivery/trouble/troubles.ts';
import type { Integration, Trouble } from '../../../../core/integration/integration.ts';
import { answered } from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { InMemoryRetrySchedules } from '../../../support/delivery/trouble/in-memory-retry-schedules.ts';
import { anEventReference } from '../../../support/event/platform-events.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { untouchable } from '../../../support/untouchable.ts';

const UNTROUBLED = anIntegration({ epoch: 3 });
const SCHEDULE = { account: 'acme', id: UNTROUBLED.id, epoch: 3 };

const inTrouble = (kind: Trouble['kind']): Integration => ({
  ...UNTROUBLED,
  trouble: {
    kind,
    since: '2026-11-20T11:00:00.000Z',
    statusCode: 503,
    lastAttemptAt: '2026-11-20T11:00:00.000Z',
    nextAttemptAt: '2026-11-20T12:00:00.000Z',
  },
});

const anAttempt = (result: PostResult = answered(500)): Attempt => ({
  account: 'acme',
  integration: UNTROUBLED.id,
  event: anEventReference('evt_01JD'),
  number: 1,
  trigger: 'event',
  startedAt: new Date('2026-11-20T11:59:50.000Z'),
  durationMs: 10_000,
  outcome: classify(result),
});

const throttled = () => Promise.reject(new Error('throttled'));

/** At noon. */
const aBeginning = (stored: Integration = UNTROUBLED) => {
  const states = new InMemoryIntegrations(stored);
  const schedules = new InMemoryRetrySchedules();
  const { begin } = buildTroubles({
    states,
    schedules,
    replays: untouchable<ReplayRequests>('the replay requests'),
    now: () => new Date('2026-11-20T12:00:00.000Z'),
    retryIntervalMs: 3_600_000,
  });
  return { begin, states, schedules, trouble: () => states.all[0]?.trouble };
};

describe('an integration that comes into trouble', () => {
  it.each(['waiting', 'busy', 'failed'] as const)(
    'is %s, shows why, and has a retry to come',
    async (kind) => {
      const { begin, trouble, schedules } = aBeginning();
      expect(await begin(UNTROUBLED, { kind }, { latest: latestAttempt(anAttempt()) })).toBe(true);
      expect(trouble()).toEqual({
        kind,
        since: '2026-11-20T12:00:00.000Z',
        statusCode: 500,
        lastAttemptAt: '2026-11-20T11:59:50.000Z',
        nextAttemptAt: '2026-11-20T13:00:00.000Z',
      });
      expect(schedules.all).toEqual([SCHEDULE]);
    },
  );

  it('tells in words why there was no status', async () => {
    const { begin, trouble } = aBeginning();
    const attempt = anAttempt({ kind: 'unanswered', reason: 'connection-refused' });
    await begin(UNTROUBLED, { kind: 'failed' }, { latest: latestAttempt(attempt) });
    expect(trouble()).toMatchObject({ reason: 'the connection was refused' });
    expect(trouble()).not.toHaveProperty('statusCode');
  });

  it.each([
    ['failed', 'failed'],
    ['failed', 'busy'],
    ['failed', 'waiting'],
    ['busy', 'busy'],
    ['busy', 'waiting'],
    ['waiting', 'waiting'],
  ] as const)('stays %s, as since when it is, when it is found %s', async (stored, found) => {
    const { begin, states } = aBeginning(inTrouble(stored));
    expect(await begin(UNTROUBLED, { kind: found }, { latest: latestAttempt(anAttempt()) })).toBe(
      true,
    );
    expect(states.all).toEqual([inTrouble(stored)]);
  });

  it.each([
    ['waiting', 'busy'],
    ['waiting', 'failed'],
    ['busy', 'failed'],
  ] as const)(
    'that was %s can become %s, and the schedule that it has goes on',
    async (stored, kind) => {
      const { begin, trouble } = aBeginning(inTrouble(stored));
      expect(await begin(UNTROUBLED, { kind }, { latest: latestAttempt(anAttempt()) })).toBe(true);
      expect(trouble()).toEqual({
        kind,
        since: '2026-11-20T12:00:00.000Z',
        statusCode: 500,
        lastAttemptAt: '2026-11-20T11:59:50.000Z',
        nextAttemptAt: '2026-11-20T12:00:00.000Z',
      });
    },
  );

  it('shows that its endpoint confirmed other events, until too many were refused in a row', async () => {
    const { begin, trouble } = aBeginning();
    const failing = (confirmedOthers: object) =>
      begin(
        UNTROUBLED,
        { kind: 'failed', ...confirmedOthers },
        { latest: latestAttempt(anAttempt()) },
      );
    await failing({ confirmedOthers: true });
    await failing({ confirmedOthers: true });
    expect(trouble()).toHaveProperty('confirmedOthers', true);
    await failing({});
    expect(trouble()).toMatchObject({ kind: 'failed', since: '2026-11-20T12:00:00.000Z' });
    expect(trouble()).not.toHaveProperty('confirmedOthers');
  });

  it('does not, because of outcomes in a row, when a success has ended the streak meanwhile', async () => {
    const { begin, states } = aBeginning();
    const because = { latest: latestAttempt(anAttempt()), onlyInStreak: true };
    expect(await begin(UNTROUBLED, { kind: 'busy' }, because)).toBe(false);
    expect(states.all).toEqual([UNTROUBLED]);
  });

  it('does not, because of an attempt from before it was changed or its trouble ended', async () => {
    const { begin, states } = aBeginning({ ...UNTROUBLED, epoch: 4 });
    expect(
      await begin(UNTROUBLED, { kind: 'failed' }, { latest: latestAttempt(anAttempt()) }),
    ).toBe(false);
    expect(states.all).toEqual([{ ...UNTROUBLED, epoch: 4 }]);
  });

  it('has its schedule before it is in trouble', async () => {
    const { begin, states, schedules } = aBeginning();
    Object.assign(states, { begin: throttled });
    await expect(
      begin(UNTROUBLED, { kind: 'failed' }, { latest: latestAttempt(anAttempt()) }),
    ).rejects.toThrow('throttled');
    expect(schedules.all).toEqual([SCHEDULE]);
  });

  it('is not in trouble when it can have no schedule', async () => {
    const { begin, states, schedules } = aBeginning();
    Object.assign(schedules, { ensure: throttled });
    await expect(
      begin(UNTROUBLED, { kind: 'failed' }, { latest: latestAttempt(anAttempt()) }),
    ).rejects.toThrow('throttled');
    expect(states.all).toEqual([UNTROUBLED]);
  });
});
