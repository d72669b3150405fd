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

  it('does not by outcomes in a row when a success ended the streak', async () => {
    const { begin, states } = aBeginning();
    const because = { latest: latestAttempt(endedAtNoon()), onlyInStreak: true };
    expect(await begin(UNTROUBLED, { kind: 'busy' }, because)).toBe(false);
    expect(states.all).toEqual([UNTROUBLED]);
  });

  it.each(['busy', 'failed'] as const)(
    'is not %s by an attempt from before the latest known success',
    async (kind) => {
      const confirmed = { ...WAITING, confirmedAt: '2026-11-20T11:59:50.001Z' };
      const { beginOf, states } = aBeginning(confirmed);
      expect(await beginOf(kind)).toBe(false);
      expect(states.all).toEqual([confirmed]);
      const noLater = aBeginning({ ...WAITING, confirmedAt: '2026-11-20T11:59:50.000Z' });
      expect(await noLater.beginOf(kind)).toBe(true);
    },
  );

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
  const { recover, close } = portsOver(parts, { through: dyingAfter(calls) }).troubles;
  const left = () => ({
    stored: parts.integrations.all,
    requested: parts.replays.requested,
    schedules: parts.schedules.all,
  });
  return { recover, close, left };
};

const UNTOUCHED = { requested: [], schedules: [SCHEDULE] };
const RECOVERED = {
  stored: [WAITING],
  requested: [{ ...REQUEST, onlyDue: true }],
  schedules: [SCHEDULE],
};
const CLOSED = { stored: [anIntegration({ epoch: 4 })], requested: [REQUEST], schedules: [] };

describe('the recovery of an integration', () => {
  it.each(['busy', 'failed'] as const)(
    'makes a %s one waiting, replays what is due, and keeps the schedule',
    async (kind) => {
      const { recover, left } = ofIntegration({ ...troubled(kind), streak: STREAK });
      expect(await recover(SCHEDULE)).toBe(true);
      expect(left()).toEqual(RECOVERED);
    },
  );

  it.each([
    ['is not in trouble', anIntegration({ epoch: 3 })],
    ['is waiting', WAITING],
    ['is in trouble of a later epoch', { ...FAILED, epoch: 4 }],
  ])('does nothing to one that %s', async (_case, stored) => {
    const { recover, left } = ofIntegration(stored);
    expect(await recover(SCHEDULE)).toBe(false);
    expect(left()).toEqual({ stored: [stored], ...UNTOUCHED });
  });

  it('happens once when two find the endpoint well at once', async () => {
    const { recover, left } = ofIntegration();
    expect(await Promise.all([recover(SCHEDULE), recover(SCHEDULE)])).toEqual([true, false]);
    expect(left()).toEqual(RECOVERED);
  });

  it.each([
    [0, { stored: [FAILED], ...UNTOUCHED }],
    // The schedule of a waiting integration requests the replay.
    [1, { ...RECOVERED, requested: [] }],
    [2, RECOVERED],
  ])('leaves the replay to the schedule if its process dies: %i calls', async (count, expected) => {
    const { recover, left } = ofIntegration(FAILED, count);
    await recover(SCHEDULE).catch(() => {});
    expect(left()).toEqual(expected);
  });
});

describe('the end of a schedule', () => {
  it.each([
    ['waits', WAITING],
    ['has a schedule and no trouble', anIntegration({ epoch: 3 })],
  ])('closes the epoch of an integration that %s', async (_, stored) => {
    const { close, left } = ofIntegration(stored);
    expect(await close(SCHEDULE)).toBe(true);
    expect(left()).toEqual(CLOSED);
  });

  it('goes on counting outcomes in a row, which no success has ended', async () => {
    const { close, left } = ofIntegration({ ...WAITING, streak: STREAK });
    await close(SCHEDULE);
    expect(left().stored).toEqual([anIntegration({ epoch: 4, streak: STREAK })]);
  });

  it.each([
    ['is busy', troubled('busy')],
    ['is failed', FAILED],
    ['waits in a later epoch', { ...WAITING, epoch: 4 }],
  ])('does nothing to an integration that %s', async (_case, stored) => {
    const { close, left } = ofIntegration(stored);
    expect(await close(SCHEDULE)).toBe(false);
    expect(left()).toEqual({ stored: [stored], ...UNTOUCHED });
  });

  it.each([
    [0, { stored: [WAITING], ...UNTOUCHED }],
    // The schedule of an epoch that is over requests the replay.
    [1, { ...CLOSED, ...UNTOUCHED }],
    [2, { ...CLOSED, schedules: [SCHEDULE] }],
    [3, CLOSED],
  ])('leaves the rest to the schedule if its process dies: %i calls', async (count, expected) => {
    const { close, left } = ofIntegration(WAITING, count);
    await close(SCHEDULE).catch(() => {});
    expect(left()).toEqual(expected);
  });
});
