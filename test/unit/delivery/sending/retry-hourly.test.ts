import { describe, expect, it } from 'vitest';
import { slowFrom } from '../../../../core/delivery/pending/step-pace.ts';
import { anAttempt } from '../../../support/delivery/attempts.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import {
  answering,
  aRetry,
  eventOf,
  FAILED,
  hanging,
  LATER_FAILED,
  NEXT_FIRING,
  ONE_O_CLOCK,
  REQUEST,
  SCHEDULE,
  throttled,
} from '../../../support/delivery/sending/hourly-retry.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import { A_MESSAGE } from '../../../support/event/platform-events.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';

/** The minutes of the hour at which so many retries without success are made, one after another. */
const minutesOfRetries = async (count: number, random: number): Promise<number[]> => {
  let now = new Date(ONE_O_CLOCK);
  const { retry, schedules } = await aRetry({ endpoint: hanging(), random, now: () => now });
  const minutes: number[] = [];
  while (minutes.length < count) {
    minutes.push(now.getUTCMinutes());
    await retry(SCHEDULE, { messageId: `message ${minutes.length}` });
    now = [...schedules.moved.values()][0] ?? now;
  }
  return minutes;
};

describe('the hourly retry', () => {
  it.each(['busy', 'failed'] as const)(
    'makes one attempt, of the oldest event; its success ends that the integration is %s',
    async (kind) => {
      const endpoint = answering(204);
      const { retry, integrations, replays, schedules, pendingIds, log } = await aRetry({
        stored: troubled(kind),
        endpoint,
      });
      expect(await retry(SCHEDULE)).toMatchObject({ kind: 'retried', endedTrouble: true });
      expect(log.attempts).toMatchObject([
        { event: { id: 'evt_1' }, number: 2, trigger: 'hourly' },
      ]);
      expect(integrations.all).toMatchObject([
        { epoch: 3, confirmedAt: ONE_O_CLOCK, trouble: { kind: 'waiting' } },
      ]);
      expect(pendingIds()).toEqual(['evt_2', 'evt_3']);
      expect(replays.requested).toEqual([{ ...REQUEST, onlyDue: true }]);
      expect(schedules.all).toEqual([SCHEDULE]);
    },
  );

  it.each([500, 504])('leaves the integration failed with an error: %i', async (statusCode) => {
    const { retry, integrations, replays, schedules } = await aRetry({
      endpoint: answering(statusCode),
    });
    expect(await retry(SCHEDULE)).toMatchObject({ kind: 'retried', endedTrouble: false });
    const claim = { claimedAt: ONE_O_CLOCK, claimedBy: A_MESSAGE.messageId };
    const claimed = { ...claim, nextAttemptAt: NEXT_FIRING };
    expect(integrations.all).toEqual([
      troubled('failed', {
        statusCode,
        lastAttemptAt: ONE_O_CLOCK,
        ...claimed,
        walkedTo: expect.any(String),
      }),
    ]);
    expect(schedules.all).toEqual([SCHEDULE]);
    expect([...schedules.moved.values()]).toEqual([new Date(NEXT_FIRING)]);
    expect(replays.requested).toEqual([]);
  });

  it.each([
    ['on time', '13:00', '13:46:30'],
    ['ten minutes late', '12:50', '13:36:30'],
    ['half an hour late', '12:30', '13:30:00'],
    ['early', '13:05', '13:46:30'],
  ])('is next a fifth to a quarter of an hour earlier: %s', async (_when, planned, next) => {
    const { retry, schedules } = await aRetry({
      stored: troubled('failed', { nextAttemptAt: `2026-11-20T${planned}:00.000Z` }),
      endpoint: answering(500),
    });
    await retry(SCHEDULE);
    expect([...schedules.moved.values()]).toEqual([new Date(`2026-11-20T${next}.000Z`)]);
  });

  it('meets an endpoint outside of any quarter of an hour within three', async () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const minutes = await minutesOfRetries(5, (seed * 0.37) % 1);
      for (let from = 0; from < 60; from += 1) {
        const down = minutes.map((minute) => (minute - from + 60) % 60 < 15);
        expect(down.indexOf(false), `from minute ${from}, seed ${seed}`).toBeLessThan(3);
        expect(down).toContain(false);
      }
    }
  });

  it.each([400, 500, 504])(
    'keeps the event after an error, its attempt counted: %i',
    async (status) => {
      const pending = [eventOf(1)];
      const { retry, pendingEvents } = await aRetry({ endpoint: answering(status), pending });
      await retry(SCHEDULE);
      expect(pendingEvents.of(REQUEST.id)).toEqual([{ ...eventOf(1), priorAttempts: 2 }]);
    },
  );

  it('is made once when its schedule fires twice', async () => {
    const { retry, log } = await aRetry({ endpoint: hanging(), pending: [eventOf(1)] });
    const again = { messageId: 'another message' };
    const results = await Promise.all([retry(SCHEDULE), retry(SCHEDULE, again)]);
    expect(results.map(({ kind }) => kind)).toEqual(['retried', 'not-due']);
    expect(log.attempts).toHaveLength(1);
  });

  it.each([
    ['retried', troubled('failed'), 3],
    ['woken', troubled('waiting'), 0],
  ])('is done once although its schedule cannot be moved: %s', async (kind, stored, attempts) => {
    const { retry, schedules, attemptedIds } = await aRetry({ stored, endpoint: answering(500) });
    Object.assign(schedules, { move: throttled });
    const moveFault = expect.objectContaining({ message: 'throttled' });
    expect(await retry(SCHEDULE)).toMatchObject({ kind, moveFault });
    expect(attemptedIds()).toHaveLength(attempts);
    expect(schedules.all).toEqual([SCHEDULE]);
  });

  it('is made by the message that comes back after a fault', async () => {
    const { retry, integrations, pendingEvents } = await aRetry({ endpoint: answering(200) });
    const { oldest } = pendingEvents;
    Object.assign(pendingEvents, { oldest: throttled });
    await expect(retry(SCHEDULE)).rejects.toThrow('throttled');
    Object.assign(pendingEvents, { oldest });
    expect(await retry(SCHEDULE, { messageId: 'another message' })).toEqual({ kind: 'not-due' });
    expect(await retry(SCHEDULE)).toMatchObject({ kind: 'retried', endedTrouble: true });
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'waiting' } }]);
  });

  it('comes at the first firing of a schedule that is older than the trouble', async () => {
    const { retry, integrations } = await aRetry({
      stored: troubled('failed', {
        since: '2026-11-20T12:59:59.000Z',
        nextAttemptAt: '2026-11-20T13:59:59.000Z',
      }),
      endpoint: hanging(),
    });
    expect(await retry(SCHEDULE)).toMatchObject({ kind: 'retried' });
    expect(integrations.all).toMatchObject([
      { trouble: { claimedAt: ONE_O_CLOCK, nextAttemptAt: NEXT_FIRING } },
    ]);
  });

  it.each([
    ['some minutes late after one on time', '2026-11-20T12:05:00.000Z', 'retried'],
    ['half an hour after one that was late', '2026-11-20T12:30:00.000Z', 'retried'],
    ['a second time in the same hour', '2026-11-20T12:30:00.001Z', 'not-due'],
  ])('tells when its schedule fires %s', async (_case, claimedAt, kind) => {
    const { retry } = await aRetry({
      stored: troubled('failed', { claimedAt }),
      endpoint: hanging(),
    });
    expect(await retry(SCHEDULE)).toMatchObject({ kind });
  });

  it.each([200, 500])('does not touch settings changed during its attempt: %i', async (status) => {
    const changed = anIntegration({ epoch: 5, revision: 2 });
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await integrations.replace(changed, FAILED);
      return answered(status);
    });
    const { retry, integrations } = await aRetry({ endpoint });
    expect(await retry(SCHEDULE)).toMatchObject({ kind: 'retried', endedTrouble: false });
    expect(integrations.all).toEqual([changed]);
  });

  it('ends the trouble when nothing is pending: there is nothing to wait for', async () => {
    const { retry, integrations, schedules } = await aRetry({ pending: [] });
    expect(await retry(SCHEDULE)).toEqual({ kind: 'nothing-pending', endedTrouble: true });
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'waiting' } }]);
    expect(schedules.all).toEqual([SCHEDULE]);
  });
});

/** One after another: they were refused before. */
const SLOWLY = { ...REQUEST, onlyDue: true, pace: slowFrom(new Date(ONE_O_CLOCK)) };

/** A 120th of the interval after one o'clock. */
const AWAKE_AT = new Date('2026-11-20T13:00:30.000Z');

describe('one retry more, half a minute after that of an hour', () => {
  const HANGS = { kind: 'unanswered', reason: 'response-timeout' } as const;

  it.each([
    [500, true],
    [503, true],
    [504, true],
    [408, true],
    [425, true],
    [429, true],
    ['no answer', true],
    [400, false],
    [401, false],
    [409, false],
    [302, false],
  ] as const)('follows attempts that spoke of the endpoint: %s %s', async (answer, isWanted) => {
    const endpoint = new ScriptedWebhookEndpoint(() =>
      typeof answer === 'number' ? answered(answer) : HANGS,
    );
    const { retry } = await aRetry({ endpoint });
    const { onceMoreAt } = await retry(SCHEDULE);
    expect(onceMoreAt).toEqual(isWanted ? AWAKE_AT : undefined);
  });

  it('does not follow if one of the attempts spoke of the event', async () => {
    const endpoint = new ScriptedWebhookEndpoint(({ headers }) =>
      answered(headers['webhook-id']?.endsWith('evt_3') ? 422 : 503),
    );
    const { retry } = await aRetry({ endpoint });
    expect(await retry(SCHEDULE)).not.toHaveProperty('onceMoreAt');
  });

  it('is of the events that the endpoint slept through, and ends the failure', async () => {
    let isAwake = false;
    const endpoint = new ScriptedWebhookEndpoint(({ headers }) => {
      const isRefused = headers['webhook-id']?.endsWith('evt_3');
      return answered(isAwake ? (isRefused ? 422 : 200) : 503);
    });
    const { retry, attemptedIds, integrations, replays } = await aRetry({ endpoint });
    await retry(SCHEDULE);
    isAwake = true;
    expect(await retry(SCHEDULE)).toMatchObject({ kind: 'retried', endedTrouble: true });
    expect(attemptedIds().slice(3)).toEqual(['evt_1']);
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'waiting' } }]);
    expect(replays.requested).toEqual([{ ...REQUEST, onlyDue: true }]);
  });

  it('is not followed by another', async () => {
    const { retry, attemptedIds } = await aRetry({ endpoint: answering(503) });
    await retry(SCHEDULE);
    expect(await retry(SCHEDULE)).not.toHaveProperty('onceMoreAt');
    expect(attemptedIds()).toHaveLength(6);
  });

  const aWaitingRetry = async ({ dueAt = ONE_O_CLOCK, confirmed = [] as string[] }) => {
    let isAwake = false;
    const endpoint = new ScriptedWebhookEndpoint(() => answered(isAwake ? 200 : 503));
    const retrying = await aRetry({ stored: troubled('waiting'), endpoint, pending: [] });
    for (const minute of [1, 2]) {
      const options = { ...A_MESSAGE, dueAt: new Date(dueAt) };
      await retrying.pendingEvents.put(eventOf(minute), options);
    }
    for (const startedAt of confirmed) {
      await retrying.log.record(anAttempt({ startedAt: new Date(startedAt) }));
    }
    const wakeEndpoint = () => {
      isAwake = true;
    };
    return { ...retrying, wakeEndpoint };
  };

  it('follows the replay of a waiting integration, and replays all if confirmed', async () => {
    const { retry, replays, wakeEndpoint, attemptedIds } = await aWaitingRetry({});
    expect(await retry(SCHEDULE)).toEqual({ kind: 'woken', onceMoreAt: AWAKE_AT });
    wakeEndpoint();
    expect(await retry(SCHEDULE)).toMatchObject({ kind: 'retried' });
    expect(attemptedIds()).toEqual(['evt_1']);
    expect(replays.requested).toEqual([SLOWLY, REQUEST]);
  });

  it('leaves a waiting integration as it is if it is refused', async () => {
    const { retry, replays, integrations, pendingEvents } = await aWaitingRetry({});
    await retry(SCHEDULE);
    await retry(SCHEDULE);
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'waiting' } }]);
    expect(replays.requested.at(-1)).toEqual({ ...REQUEST, onlyDue: true });
    const [, newest] = pendingEvents.eventsOf(REQUEST.id);
    expect(newest).toMatchObject({ dueAt: ONE_O_CLOCK, delivery: { priorAttempts: 3 } });
  });

  it.each([
    ['another was confirmed in the hour', { confirmed: ['2026-11-20T12:00:00.000Z'] }],
    ['the newest is not due', { dueAt: '2026-11-20T13:00:00.001Z' }],
  ])('does not follow a replay if %s', async (_case, given) => {
    const { retry } = await aWaitingRetry(given);
    expect(await retry(SCHEDULE)).toEqual({ kind: 'woken' });
  });

  it('follows a replay if the last was confirmed more than an hour ago', async () => {
    const { retry } = await aWaitingRetry({ confirmed: ['2026-11-20T11:59:58.000Z'] });
    expect(await retry(SCHEDULE)).toHaveProperty('onceMoreAt');
  });
});

const FAILING = {
  kind: 'failed',
  since: ONE_O_CLOCK,
  lastAttemptAt: ONE_O_CLOCK,
  nextAttemptAt: NEXT_FIRING,
} as const;

describe('an hourly schedule with nothing to retry', () => {
  it.each([
    ['is out of trouble', anIntegration({ epoch: 4 })],
    ['waits in a later epoch', { ...troubled('waiting'), epoch: 4 }],
    ['is deleted', 'deleted' as const],
  ])(
    'asks for the replay that is owed, then is gone: the integration %s',
    async (_case, stored) => {
      const { retry, replays, schedules } = await aRetry({ stored });
      expect(await retry(SCHEDULE)).toEqual({ kind: 'over' });
      expect(replays.requested).toEqual([REQUEST]);
      expect(schedules.all).toEqual([]);
    },
  );

  it.each([
    ['is inactive', anIntegration({ epoch: 4, active: false })],
    ['failed again', LATER_FAILED],
  ])('is just gone when the integration %s', async (_case, stored) => {
    const { retry, integrations, replays, schedules } = await aRetry({ stored });
    expect(await retry(SCHEDULE)).toEqual({ kind: 'over' });
    expect(replays.requested).toEqual([]);
    expect(schedules.all).toEqual([]);
    expect(integrations.all).toEqual([stored]);
  });

  it('leaves the schedule of a later epoch alone', async () => {
    const { retry, schedules } = await aRetry({ stored: LATER_FAILED });
    await schedules.ensure(LATER_FAILED);
    await retry(SCHEDULE);
    expect(schedules.all).toEqual([{ ...SCHEDULE, epoch: 5 }]);
  });

  it('requests the removal of a deleted integration each time it fires', async () => {
    const { retry, replays } = await aRetry({ stored: 'deleted', pending: [] });
    expect(await retry(SCHEDULE)).toEqual({ kind: 'over' });
    expect(await retry(SCHEDULE)).toEqual({ kind: 'over' });
    expect(replays.requested).toEqual([REQUEST, REQUEST]);
  });

  it.each([
    ['its own', anIntegration({ epoch: 3 })],
    ['one to come', anIntegration({ epoch: 2 })],
    ['its own, of an inactive integration', anIntegration({ epoch: 3, active: false })],
  ])('closes its epoch before it is gone: %s', async (_case, stored) => {
    const { retry, integrations, replays, schedules } = await aRetry({ stored });
    expect(await retry(SCHEDULE)).toEqual({ kind: 'closed' });
    expect(integrations.all).toEqual([{ ...stored, epoch: 4 }]);
    expect(replays.requested).toContainEqual(REQUEST);
    expect(schedules.all).toEqual([]);
  });

  it('stays while the epoch before its own goes on', async () => {
    const { retry, integrations, schedules } = await aRetry({ stored: { ...FAILED, epoch: 2 } });
    expect(await retry(SCHEDULE)).toEqual({ kind: 'not-due' });
    expect(integrations.all).toEqual([{ ...FAILED, epoch: 2 }]);
    expect(schedules.all).toEqual([SCHEDULE]);
  });

  it('makes the attempt when the integration fails meanwhile', async () => {
    const { retry, integrations, schedules } = await aRetry({
      stored: anIntegration({ epoch: 3 }),
      endpoint: hanging(),
    });
    const closeEpoch = integrations.closeEpoch.bind(integrations);
    integrations.closeEpoch = async (epoch) => {
      await integrations.begin(epoch, FAILING);
      return closeEpoch(epoch);
    };
    expect(await retry(SCHEDULE)).toMatchObject({ kind: 'retried' });
    expect(schedules.all).toEqual([SCHEDULE]);
  });

  it('tells of an epoch that another process has closed at the same time', async () => {
    const { retry } = await aRetry({ stored: anIntegration({ epoch: 3 }) });
    const results = await Promise.all([retry(SCHEDULE), retry(SCHEDULE)]);
    expect(results).toEqual([{ kind: 'closed' }, { kind: 'over' }]);
  });

  it('requests one replay of what is due when it fires twice', async () => {
    const { retry, replays } = await aRetry({ stored: troubled('waiting') });
    const again = { messageId: 'another message' };
    expect(await retry(SCHEDULE)).toMatchObject({ kind: 'woken' });
    expect(await retry(SCHEDULE, again)).toEqual({ kind: 'not-due' });
    expect(replays.requested).toEqual([SLOWLY]);
  });

  it('stays when it cannot ask for the replay', async () => {
    const { retry, replays, schedules } = await aRetry({ stored: anIntegration({ epoch: 4 }) });
    Object.assign(replays, { request: throttled });
    await expect(retry(SCHEDULE)).rejects.toThrow('throttled');
    expect(schedules.all).toEqual([SCHEDULE]);
  });
});
