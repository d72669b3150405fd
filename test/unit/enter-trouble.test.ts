import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../core/delivery/attempt.ts';
import { createEnterTrouble } from '../../core/delivery/enter-trouble.ts';
import { classify, type PostResult } from '../../core/delivery/outcome.ts';
import type { Integration, Trouble } from '../../core/integrations/integration.ts';
import { InMemoryIntegrations } from '../support/in-memory-integrations.ts';
import { InMemoryRetrySchedules } from '../support/in-memory-retry-schedules.ts';
import { anIntegration } from '../support/integrations.ts';
import { anEventReference } from '../support/platform-events.ts';
import { answered } from '../support/scripted-webhook-endpoint.ts';

const HEALTHY = anIntegration({ incident: 3 });
const SCHEDULE = { account: 'acme', id: HEALTHY.id, incident: 3 };

const inTrouble = (kind: Trouble['kind']): Integration => ({
  ...HEALTHY,
  delivery: {
    kind,
    since: '2026-11-20T11:00:00.000Z',
    statusCode: 503,
    lastAttemptAt: '2026-11-20T11:00:00.000Z',
    nextAttemptAt: '2026-11-20T12:00:00.000Z',
  },
});

const anAttempt = (result: PostResult = answered(500)): Attempt => ({
  account: 'acme',
  integration: HEALTHY.id,
  event: anEventReference('evt_01JD'),
  number: 1,
  trigger: 'event',
  startedAt: new Date('2026-11-20T11:59:50.000Z'),
  durationMs: 10_000,
  outcome: classify(result),
});

const throttled = () => Promise.reject(new Error('throttled'));

/** At noon. */
const anEntry = (stored: Integration = HEALTHY) => {
  const states = new InMemoryIntegrations(stored);
  const schedules = new InMemoryRetrySchedules();
  const enterTrouble = createEnterTrouble({
    states,
    schedules,
    now: () => new Date('2026-11-20T12:00:00.000Z'),
    retryIntervalMs: 3_600_000,
  });
  return { enterTrouble, states, schedules, delivery: () => states.all[0]?.delivery };
};

describe('an integration that comes into trouble', () => {
  it.each(['busy', 'failed'] as const)(
    'is %s, shows why, and has a retry to come',
    async (kind) => {
      const { enterTrouble, delivery, schedules } = anEntry();
      expect(await enterTrouble(HEALTHY, kind, anAttempt())).toBe(true);
      expect(delivery()).toEqual({
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
    const { enterTrouble, delivery } = anEntry();
    const attempt = anAttempt({ kind: 'unanswered', reason: 'connection-refused' });
    await enterTrouble(HEALTHY, 'failed', attempt);
    expect(delivery()).toMatchObject({ reason: 'the connection was refused' });
    expect(delivery()).not.toHaveProperty('statusCode');
  });

  it.each([
    ['failed', 'failed'],
    ['failed', 'busy'],
    ['busy', 'busy'],
  ] as const)('stays %s, as since when it is, when it is found %s', async (stored, found) => {
    const { enterTrouble, states } = anEntry(inTrouble(stored));
    expect(await enterTrouble(HEALTHY, found, anAttempt())).toBe(true);
    expect(states.all).toEqual([inTrouble(stored)]);
  });

  it('can become failed when it is busy', async () => {
    const { enterTrouble, delivery } = anEntry(inTrouble('busy'));
    expect(await enterTrouble(HEALTHY, 'failed', anAttempt())).toBe(true);
    expect(delivery()).toMatchObject({ kind: 'failed', statusCode: 500 });
  });

  it('does not, because of an attempt from before it was changed or recovered', async () => {
    const { enterTrouble, states } = anEntry({ ...HEALTHY, incident: 4 });
    expect(await enterTrouble(HEALTHY, 'failed', anAttempt())).toBe(false);
    expect(states.all).toEqual([{ ...HEALTHY, incident: 4 }]);
  });

  it('has its schedule before it is in trouble', async () => {
    const { enterTrouble, states, schedules } = anEntry();
    Object.assign(states, { enterTrouble: throttled });
    await expect(enterTrouble(HEALTHY, 'failed', anAttempt())).rejects.toThrow('throttled');
    expect(schedules.all).toEqual([SCHEDULE]);
  });

  it('is not in trouble when it can have no schedule', async () => {
    const { enterTrouble, states, schedules } = anEntry();
    Object.assign(schedules, { ensure: throttled });
    await expect(enterTrouble(HEALTHY, 'failed', anAttempt())).rejects.toThrow('throttled');
    expect(states.all).toEqual([HEALTHY]);
  });
});
