import { describe, expect, it } from 'vitest';
import { partitionNumberOf } from '../../../../adapters/dynamodb/table/stored-deliveries.ts';
import type { PostResult } from '../../../../core/delivery/attempt.ts';
import { canDeliver } from '../../../../core/integration/integration.ts';
import { anAttempt } from '../../../support/delivery/attempts.ts';
import { eventsOf } from '../../../support/delivery/logged-deliveries.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import {
  answering,
  aRetry,
  confirming,
  eventOf,
  hanging,
  ONE_O_CLOCK,
  REQUEST,
  SCHEDULE,
  TWO_O_CLOCK,
  throttled,
} from '../../../support/delivery/sending/hourly-retry.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';

const DUE = { ...REQUEST, onlyDue: true };
const FIVE = [1, 2, 3, 4, 5].map(eventOf);

describe('the attempts of a retry', () => {
  it.each([
    ['400', answering(400), { statusCode: 400 }],
    ['504', answering(504), { statusCode: 504 }],
    ['no answer', hanging(), { reason: 'response-timeout' }],
  ])('are an old event, the newest and one between after %s', async (_case, endpoint, latest) => {
    const { retry, attemptedIds, integrations } = await aRetry({ endpoint, pending: FIVE });
    const result = await retry(SCHEDULE);
    expect(result).toMatchObject({ kind: 'retried', endedTrouble: false });
    expect(attemptedIds()).toEqual(['evt_1', 'evt_5', 'evt_4']);
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'failed', ...latest } }]);
  });

  it.each([
    [0, 'evt_3'],
    [0.3, 'evt_4'],
    [0.99, 'evt_2'],
  ])('reach an event that is drawn: %f', async (random, id) => {
    const { retry, attemptedIds } = await aRetry({
      endpoint: hanging(),
      pending: FIVE,
      random,
    });
    await retry(SCHEDULE);
    expect(attemptedIds()).toEqual(['evt_1', 'evt_5', id]);
  });

  it('begin without the answer of an attempt that is silent for four seconds', async () => {
    const answers = [Promise.withResolvers<PostResult>(), Promise.withResolvers<PostResult>()];
    const endpoint = new ScriptedWebhookEndpoint(
      () => answers[endpoint.requests.length - 1]?.promise ?? answered(200),
    );
    const waits: number[] = [];
    const wait = async (ms: number) => {
      waits.push(ms);
    };
    const { retry, attemptedIds, replays } = await aRetry({ endpoint, pending: FIVE, wait });
    const retrying = retry(SCHEDULE);
    await expect.poll(() => attemptedIds()).toEqual(['evt_4']);
    for (const { resolve } of answers) {
      resolve({ kind: 'unanswered', reason: 'response-timeout' });
    }
    const attempts = [{ outcome: 'transient' }, { outcome: 'transient' }, { outcome: 'delivered' }];
    expect(await retrying).toMatchObject({
      endedTrouble: true,
      attempts: attempts.map(({ outcome }) => ({
        made: { attempt: { outcome: { class: outcome } } },
      })),
    });
    expect(waits.slice(0, 2)).toEqual([4_000, 4_000]);
    expect(replays.requested).toEqual([DUE]);
  });

  it('end when the settings are changed', async () => {
    const changing = new ScriptedWebhookEndpoint(async () => {
      for (const stored of integrations.all) {
        const { trouble: _, ...rest } = stored;
        await integrations.replace({ ...rest, active: false, epoch: stored.epoch + 2 }, stored);
      }
      return answered(500);
    });
    const { retry, integrations, attemptedIds } = await aRetry({
      endpoint: changing,
      pending: FIVE,
    });
    await retry(SCHEDULE);
    expect(attemptedIds()).toEqual(['evt_1']);
  });

  it('end before a fault is passed on', async () => {
    const { retry, integrations, log } = await aRetry({ endpoint: answering(500), pending: FIVE });
    Object.assign(integrations, { noteAttempt: throttled });
    await expect(retry(SCHEDULE)).rejects.toThrow('throttled');
    expect(log.attempts).toHaveLength(1);
  });

  it.each([
    [5, ['evt_1', 'evt_5']],
    [4, ['evt_1', 'evt_5', 'evt_4']],
  ])(
    'end with the first that is confirmed, event %i, and so does the trouble',
    async (confirmed, attempted) => {
      const { retry, attemptedIds, pendingIds, integrations, replays, schedules } = await aRetry({
        endpoint: confirming(confirmed),
        pending: FIVE,
      });
      expect(await retry(SCHEDULE)).toMatchObject({ kind: 'retried', endedTrouble: true });
      expect(attemptedIds()).toEqual(attempted);
      expect(pendingIds()).toEqual(
        ['evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5'].filter((id) => id !== `evt_${confirmed}`),
      );
      expect(integrations.all.every(canDeliver)).toBe(true);
      expect(replays.requested).toEqual([DUE]);
      expect(schedules.all).toEqual([SCHEDULE]);
    },
  );

  it('are one of each event, however few are pending', async () => {
    const pending = [eventOf(1), eventOf(2)];
    const { retry, attemptedIds } = await aRetry({ endpoint: answering(500), pending });
    await retry(SCHEDULE);
    expect(attemptedIds()).toEqual(['evt_1', 'evt_2']);
  });

  it('leave out the newest events when those have been delivered meanwhile', async () => {
    const { retry, log, pendingIds } = await aRetry({
      endpoint: confirming(4),
      pending: FIVE,
    });
    await log.record(anAttempt({ event: eventOf(5).event }));
    expect(await retry(SCHEDULE)).toMatchObject({ attempts: [{}, {}], endedTrouble: true });
    expect(pendingIds()).toEqual(['evt_1', 'evt_2', 'evt_3']);
  });

  it('are counted, so that another event has its turn an hour later', async () => {
    let now = ONE_O_CLOCK;
    const { retry, pendingEvents, attemptedIds } = await aRetry({
      endpoint: hanging(),
      pending: [1, 2, 3, 4].map((minute) => ({ ...eventOf(minute), priorAttempts: 4 })),
      now: () => new Date(now),
    });
    await retry(SCHEDULE);
    expect(pendingEvents.of(REQUEST.id).map(({ priorAttempts }) => priorAttempts)).toEqual([
      5, 5, 4, 5,
    ]);
    now = TWO_O_CLOCK;
    await retry(SCHEDULE, { messageId: 'the next message' });
    expect(attemptedIds().slice(3)).toEqual(['evt_3', 'evt_4', 'evt_1']);
  });

  it('walk past all events, a hundred an hour', async () => {
    let nowMs = Date.parse(ONE_O_CLOCK);
    const pending = eventsOf(2_000).filter(({ event }) => partitionNumberOf(event.id) === 0);
    const { retry, attemptedIds } = await aRetry({
      ...{ endpoint: hanging(), pending, random: 0, now: () => new Date(nowMs) },
    });
    const drawn: (string | undefined)[] = [];
    for (const messageId of ['one', 'two', 'three', 'four']) {
      await retry(SCHEDULE, { messageId });
      drawn.push(attemptedIds().at(-1));
      nowMs += 3_600_000;
    }
    expect(drawn).toEqual([1, 100, 200, 0].map((place) => pending[place]?.event.id));
  });
});

describe('a retry of an event that was refused long ago', () => {
  it('does not set it aside, as it had few attempts', async () => {
    const since = '2026-11-19T12:00:00.000Z';
    const backoff = { since, attempts: 1, hasSlot: false };
    const { retry, integrations, pendingEvents, setAsideEvents } = await aRetry({
      stored: {
        ...troubled('failed'),
        updatedAt: '2026-11-01T00:00:00.000Z',
        confirmedAt: '2026-11-20T11:00:00.000Z',
      },
      endpoint: answering(500),
      pending: [{ ...eventOf(1), backoff }],
    });
    await retry(SCHEDULE);
    expect(setAsideEvents.of(REQUEST.id)).toEqual([]);
    expect(pendingEvents.of(REQUEST.id)).toMatchObject([{ priorAttempts: 2 }]);
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'failed' } }]);
  });
});

describe('an error in a retry of a busy integration', () => {
  const BUSY = troubled('busy');
  const CONTINUING = { ...BUSY, settings: { ...BUSY.settings, onFatalError: 'continue' as const } };
  const notSent = new ScriptedWebhookEndpoint(() => Promise.reject(new Error('no such header')));

  it.each([
    ['makes it failed', BUSY, answering(400), 'failed'],
    ['leaves it busy after a 504', BUSY, answering(504), 'busy'],
    ['leaves it busy when it is to continue', CONTINUING, answering(400), 'busy'],
    ['makes it failed when nothing could be sent', CONTINUING, notSent, 'failed'],
  ])('%s', async (_case, stored, endpoint, kind) => {
    const { retry, integrations } = await aRetry({ stored, endpoint });
    await retry(SCHEDULE);
    expect(integrations.all).toMatchObject([{ trouble: { kind } }]);
  });

  it('makes it failed after 20 in a row, though it is to continue', async () => {
    const streak = { since: '2026-11-20T12:05:00.000Z', transients: 20, refusals: 17 };
    const stored = { ...CONTINUING, streak };
    const { retry, integrations } = await aRetry({ stored, endpoint: answering(400) });
    await retry(SCHEDULE);
    expect(integrations.all).toMatchObject([
      { streak: { refusals: 20 }, trouble: { kind: 'failed' } },
    ]);
  });

  const CONFIRMED = { ...BUSY, confirmedAt: '2026-11-20T12:55:00.000Z' };

  it('leaves it busy for a replayed event if others were confirmed', async () => {
    const pending = [{ ...eventOf(1), trigger: 'replay' as const }];
    const { retry, integrations, pendingEvents } = await aRetry({
      stored: CONFIRMED,
      endpoint: answering(400),
      pending,
    });
    await retry(SCHEDULE);
    expect(integrations.all).toMatchObject([
      { streak: { refusals: 1 }, trouble: { kind: 'busy' } },
    ]);
    expect(pendingEvents.of(REQUEST.id)).toHaveLength(1);
  });

  it('shows that others were confirmed when it makes it failed', async () => {
    const pending = [eventOf(1)];
    const { retry, integrations, log } = await aRetry({
      stored: BUSY,
      endpoint: answering(400),
      pending,
    });
    const startedAt = new Date('2026-11-20T12:55:00.000Z');
    await log.record(anAttempt({ event: eventOf(5).event, startedAt }));
    await retry(SCHEDULE);
    expect(integrations.all).toMatchObject([
      { trouble: { kind: 'failed', confirmedOthers: true } },
    ]);
  });

  it('fails nothing after a success that has just ended the streak', async () => {
    const streak = { since: '2026-11-20T12:05:00.000Z', transients: 20, refusals: 19 };
    const { retry, integrations } = await aRetry({
      stored: { ...CONTINUING, streak },
      endpoint: answering(400),
      pending: [eventOf(1)],
    });
    const extendStreak = integrations.extendStreak.bind(integrations);
    integrations.extendStreak = async (...outcome) => {
      const extended = await extendStreak(...outcome);
      await integrations.confirm(CONTINUING, new Date(ONE_O_CLOCK));
      return extended;
    };
    await retry(SCHEDULE);
    expect(integrations.all).not.toMatchObject([{ trouble: { kind: 'failed' } }]);
  });
});

describe('a process that dies in the midst of an hourly retry', () => {
  /** More than a retry calls. */
  const calls = Array.from({ length: 30 }, (_, call) => call);

  it.each(calls)('loses no event, and the next hour goes on: %i calls', async (count) => {
    const confirmed: string[] = [];
    let isMended = false;
    // Until the endpoint is mended, it confirms the event of one minute.
    const endpoint = new ScriptedWebhookEndpoint(({ headers }) => {
      const id = headers['webhook-id']?.split('/').at(-1) ?? '';
      if (!isMended && id !== 'evt_4') return answered(500);
      confirmed.push(id);
      return answered(200);
    });
    let now = ONE_O_CLOCK;
    const { retry, retryDyingAfter, pendingIds, integrations, replays, schedules } = await aRetry({
      endpoint,
      pending: FIVE,
      now: () => new Date(now),
    });
    await retryDyingAfter(count)(SCHEDULE).catch(() => {});
    [now, isMended] = [TWO_O_CLOCK, true];
    await retry(SCHEDULE);
    expect(new Set([...pendingIds(), ...confirmed]).size).toBe(FIVE.length);
    expect(integrations.all.every(canDeliver)).toBe(true);
    expect(replays.requested).toContainEqual(expect.objectContaining(REQUEST));
    expect(schedules.all).toEqual([SCHEDULE]);
  });
});
