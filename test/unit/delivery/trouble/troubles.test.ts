import { describe, expect, it } from 'vitest';
import { latestAttempt } from '../../../../core/delivery/trouble/begin-trouble.ts';
import type { Trouble } from '../../../../core/integration/integration.ts';
import { anAttempt } from '../../../support/delivery/attempts.ts';
import { inMemoryParts, portsOver } from '../../../support/delivery/in-memory-ports.ts';
import { answered } from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import { dyingAfter } from '../../../support/dying-process.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';

const UNTROUBLED = anIntegration({ epoch: 3 });
const SCHEDULE = { account: 'acme', id: UNTROUBLED.id, epoch: 3 };

const SINCE_ELEVEN = {
  since: '2026-11-20T11:00:00.000Z',
  lastAttemptAt: '2026-11-20T11:00:00.000Z',
  nextAttemptAt: '2026-11-20T12:00:00.000Z',
};

/** Ended at noon. */
const endedAtNoon = (result = answered(500)) =>
  anAttempt({ startedAt: new Date('2026-11-20T11:59:50.000Z'), durationMs: 10_000 }, result);

/** At noon. */
const aBeginning = (stored = UNTROUBLED, calls = Number.POSITIVE_INFINITY) => {
  const parts = inMemoryParts(stored, []);
  const { begin } = portsOver(parts, { through: dyingAfter(calls) }).troubles;
  const beginOf = (kind: Trouble['kind'], attempt = endedAtNoon(), overrides = {}) =>
    begin(UNTROUBLED, { kind, ...overrides }, { latest: latestAttempt(attempt) });
  const { integrations: states } = parts;
  return { ...parts, begin, beginOf, states, trouble: () => states.all[0]?.trouble };
};

describe('an integration that comes into trouble', () => {
  it.each(['waiting', 'busy', 'failed'] as const)(
    'is %s, shows why, and has a retry to come',
    async (kind) => {
      const { beginOf, trouble, schedules, replays } = aBeginning();
      expect(await beginOf(kind)).toBe(true);
      expect(replays.requested).toEqual([]);
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
    const { beginOf, trouble } = aBeginning();
    const attempt = endedAtNoon({ kind: 'unanswered', reason: 'connection-refused' });
    await beginOf('failed', attempt);
    expect(trouble()).toMatchObject({ reason: 'connection-refused' });
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
    const { beginOf, states } = aBeginning(troubled(stored, SINCE_ELEVEN));
    expect(await beginOf(found)).toBe(true);
    expect(states.all).toEqual([troubled(stored, SINCE_ELEVEN)]);
  });

  it.each([
    ['waiting', 'busy'],
    ['waiting', 'failed'],
    ['busy', 'failed'],
  ] as const)(
    'that was %s can become %s, and the schedule that it has goes on',
    async (stored, kind) => {
      const { beginOf, trouble } = aBeginning(troubled(stored, SINCE_ELEVEN));
      expect(await beginOf(kind)).toBe(true);
      expect(trouble()).toEqual({
        kind,
        since: '2026-11-20T12:00:00.000Z',
        statusCode: 500,
        lastAttemptAt: '2026-11-20T11:59:50.000Z',
        nextAttemptAt: '2026-11-20T12:00:00.000Z',
      });
    },
  );

  it('shows that others were confirmed, until too many are refused', async () => {
    const { beginOf, trouble } = aBeginning();
    await beginOf('failed', endedAtNoon(), { confirmedOthers: true });
    await beginOf('failed', endedAtNoon(), { confirmedOthers: true });
    expect(trouble()).toHaveProperty('confirmedOthers', true);
    await beginOf('failed');
    expect(trouble()).toMatchObject({ kind: 'failed', since: '2026-11-20T12:00:00.000Z' });
    expect(trouble()).not.toHaveProperty('confirmedOthers');
  });

  it('does not by outcomes in a row when a success ended the streak', async () => {
    const { begin, states } = aBeginning();
    const because = { latest: latestAttempt(endedAtNoon()), onlyInStreak: true };
    expect(await begin(UNTROUBLED, { kind: 'busy' }, because)).toBe(false);
    expect(states.all).toEqual([UNTROUBLED]);
  });

  it('does not by an attempt from before a change or the last end', async () => {
    const { beginOf, states } = aBeginning({ ...UNTROUBLED, epoch: 4 });
    expect(await beginOf('failed')).toBe(false);
    expect(states.all).toEqual([{ ...UNTROUBLED, epoch: 4 }]);
  });

  it.each([0, 1, 2, 3])('has its schedule before it is in trouble: %i calls', async (calls) => {
    const { beginOf, trouble, schedules } = aBeginning(UNTROUBLED, calls);
    await beginOf('failed').catch((fault) => expect(fault).toEqual(new Error('died')));
    expect(schedules.all).toEqual(calls >= 2 ? [SCHEDULE] : []);
    expect(trouble()?.kind).toBe(calls >= 3 ? 'failed' : undefined);
  });

  it.each([
    ['is in trouble already', troubled('waiting')],
    ['is in a later epoch', { ...UNTROUBLED, epoch: 4 }],
    ['is in a later epoch, and in trouble', { ...troubled('failed'), epoch: 4 }],
  ])('makes no schedule if it %s', async (_case, stored) => {
    const { beginOf, schedules } = aBeginning(stored);
    await beginOf('failed');
    expect(schedules.all).toEqual([]);
  });
});

const FAILED = troubled('failed');
const WAITING = troubled('waiting');
const STREAK = { since: '2026-11-20T12:59:00.000Z', transients: 20, refusals: 2 };
const REQUEST = { account: 'acme', id: FAILED.id };

/** The troubles of an integration that has the schedule of epoch 3. */
const ofIntegration = (stored = FAILED, calls = Number.POSITIVE_INFINITY) => {
  const parts = inMemoryParts(stored, [SCHEDULE]);
  const { end, wake } = portsOver(parts, { through: dyingAfter(calls) }).troubles;
  const left = () => ({
    stored: parts.integrations.all,
    requested: parts.replays.requested,
    schedules: parts.schedules.all,
  });
  return { end, wake, left };
};

const UNTOUCHED = { requested: [], schedules: [SCHEDULE] };
const ENDED = { stored: [anIntegration({ epoch: 4 })], requested: [REQUEST], schedules: [] };

describe('the end of a trouble', () => {
  it.each(['waiting', 'busy', 'failed'] as const)(
    'ends that an integration is %s, has what is pending replayed, and ends the hourly retry',
    async (kind) => {
      const { end, left } = ofIntegration({ ...troubled(kind), streak: STREAK });
      expect(await end(SCHEDULE)).toBe(true);
      expect(left()).toEqual(ENDED);
    },
  );

  it.each([
    ['is not in trouble', anIntegration({ epoch: 3 })],
    ['is in trouble of a later epoch', { ...FAILED, epoch: 4 }],
  ])('does nothing to an integration that %s', async (_case, stored) => {
    const { end, left } = ofIntegration(stored);
    expect(await end(SCHEDULE)).toBe(false);
    expect(left()).toEqual({ stored: [stored], ...UNTOUCHED });
  });

  it('happens once when two find the endpoint well at once', async () => {
    const { end, left } = ofIntegration();
    expect(await Promise.all([end(SCHEDULE), end(SCHEDULE)])).toEqual([true, false]);
    expect(left()).toEqual(ENDED);
  });
});

describe('waking an integration whose deliveries go on while some wait', () => {
  it.each([
    ['waits', WAITING],
    ['has a schedule and no trouble', anIntegration({ epoch: 3 })],
  ])(
    'has all that is pending replayed of one that %s, and ends its schedule',
    async (_, stored) => {
      const { wake, left } = ofIntegration(stored);
      expect(await wake(SCHEDULE)).toBe(true);
      expect(left()).toEqual(ENDED);
    },
  );

  it('goes on counting outcomes in a row, which no success has ended', async () => {
    const { wake, left } = ofIntegration({ ...WAITING, streak: STREAK });
    await wake(SCHEDULE);
    expect(left().stored).toEqual([anIntegration({ epoch: 4, streak: STREAK })]);
  });

  it.each([
    ['is busy', troubled('busy')],
    ['is failed', FAILED],
    ['waits in a later epoch', { ...WAITING, epoch: 4 }],
  ])('does nothing to an integration that %s', async (_case, stored) => {
    const { wake, left } = ofIntegration(stored);
    expect(await wake(SCHEDULE)).toBe(false);
    expect(left()).toEqual({ stored: [stored], ...UNTOUCHED });
  });
});

describe.each(['end', 'wake'] as const)(
  'a process that dies in the midst of the steps of %s',
  (name) => {
    it.each([
      [0, { stored: [WAITING], ...UNTOUCHED }],
      // The schedule of an epoch that is over asks for the replay.
      [1, { ...ENDED, ...UNTOUCHED }],
      [2, { ...ENDED, schedules: [SCHEDULE] }],
      [3, ENDED],
    ])('leaves who has what waits replayed: %i calls', async (count, expected) => {
      const { left, ...steps } = ofIntegration(WAITING, count);
      await steps[name](SCHEDULE).catch(() => {});
      expect(left()).toEqual(expected);
    });
  },
);
