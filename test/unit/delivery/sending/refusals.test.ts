import { describe, expect, it } from 'vitest';
import { anAttempt } from '../../../support/delivery/attempts.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import {
  aDeliverer,
  answering,
  backoff,
  INTEGRATION,
  NOON,
  queued,
  SCHEDULE,
  secondsBeforeNoon,
  streak,
  trouble,
  UNTROUBLED,
} from '../../../support/delivery/sending/troubled-deliverer.ts';
import { anEventReference } from '../../../support/event/platform-events.ts';

const ago = (seconds: number): string => secondsBeforeNoon(seconds).toISOString();

/** The next firing of the hourly schedule sends what is due by then. */
const FIVE_PAST_NOON = '2026-11-20T12:05:00.000Z';

/** Its settings are a day old. */
const PAUSING = { ...UNTROUBLED, updatedAt: ago(86_400) };
const CONTINUING = {
  ...PAUSING,
  settings: { ...PAUSING.settings, onFatalError: 'continue' as const },
};
/** Another event was confirmed ten minutes before noon. */
const CONFIRMED = { ...PAUSING, confirmedAt: ago(600) };

const REPLAYED = queued(1, { trigger: 'replay', priorAttempts: 1 });

const refusing = (stored = PAUSING, status = 400) =>
  aDeliverer({ stored, endpoint: answering(status) });

describe('a refused event of an integration that is to continue', () => {
  it('is stored and due soon, and the integration goes on', async () => {
    const { deliver, integrations, pendingEvents, schedules, replays } = refusing(CONTINUING);
    const result = await deliver();
    expect(result).toMatchObject({ kind: 'pending' });
    expect(result).not.toHaveProperty('became');
    expect(await pendingEvents.oldest(INTEGRATION, 9)).toMatchObject([
      { delivery: { priorAttempts: 1, backoff: { since: ago(0) } }, dueAt: FIVE_PAST_NOON },
    ]);
    expect(integrations.all).toMatchObject([
      { streak: { since: ago(0), refusals: 1 }, trouble: { kind: 'waiting', statusCode: 400 } },
    ]);
    expect(schedules.all).toEqual([SCHEDULE]);
    expect(replays.requested).toEqual([]);
  });

  it('leaves a busy integration busy', async () => {
    const { deliver, integrations, pendingEvents } = refusing({
      ...CONTINUING,
      trouble: trouble('busy'),
    });
    const probe = queued(1, { trigger: 'rerouted', backoff: backoff({ hasSlot: true }) });
    expect(await deliver(probe)).toMatchObject({ kind: 'pending' });
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'busy' } }]);
    expect(await pendingEvents.oldest(INTEGRATION, 9)).toMatchObject([{ dueAt: FIVE_PAST_NOON }]);
  });
});

describe('a replayed event that is refused', () => {
  it.each([
    ['a minute after', CONFIRMED],
    ['twelve hours after', { ...PAUSING, confirmedAt: ago(43_200) }],
  ])('is kept for the next hour %s another was confirmed', async (_case, stored) => {
    const { deliver, integrations, pendingEvents } = refusing(stored);
    expect(await deliver(REPLAYED)).not.toHaveProperty('became');
    expect(await pendingEvents.oldest(INTEGRATION, 9)).toMatchObject([{ dueAt: FIVE_PAST_NOON }]);
    expect(integrations.all).toMatchObject([
      { streak: { refusals: 1 }, trouble: { kind: 'waiting' } },
    ]);
  });

  it('is kept when only the log shows that another was confirmed', async () => {
    const { deliver, log } = refusing();
    const event = anEventReference('evt_2');
    await log.record(anAttempt({ event, startedAt: secondsBeforeNoon(60) }));
    expect(await deliver(REPLAYED)).not.toHaveProperty('became');
  });

  it.each([
    ['goes on backing off', queued(1, { trigger: 'replay', backoff: backoff() })],
    ['is received again', queued(2, { trigger: 'replay' })],
  ])('is kept as well when it %s', async (_case, message) => {
    expect(await refusing(CONFIRMED).deliver(message)).not.toHaveProperty('became');
  });

  it.each([
    ['nothing was confirmed within 12 hours', { ...PAUSING, confirmedAt: ago(43_201) }],
    ['the settings changed since', { ...CONFIRMED, updatedAt: ago(599) }],
  ])('fails the integration when %s', async (_case, stored) => {
    const { deliver, integrations } = refusing(stored);
    expect(await deliver(REPLAYED)).toMatchObject({ became: 'failed' });
    expect(integrations.all[0]?.trouble).not.toHaveProperty('confirmedOthers');
  });

  it('is kept in its window, whatever is confirmed', async () => {
    const { deliver } = refusing({ ...PAUSING, confirmedAt: ago(43_201) });
    const waiting = queued(1, { trigger: 'replay', backoff: backoff({ since: ago(3_600) }) });
    expect(await deliver(waiting)).not.toHaveProperty('became');
  });

  it('fails the integration when the log cannot confirm another event', async () => {
    const { deliver, log } = refusing();
    log.confirmedSince = () => Promise.reject(new Error('throttled'));
    expect(await deliver(REPLAYED)).toMatchObject({ became: 'failed' });
  });

  it.each([
    ['though it is to continue', CONTINUING, queued()],
    ['though others were confirmed', CONFIRMED, REPLAYED],
  ])('fails the integration when its address is refused, %s', async (_case, stored, message) => {
    const endpoint = new ScriptedWebhookEndpoint(() => ({
      kind: 'unanswered',
      reason: 'address-refused',
    }));
    const { deliver } = aDeliverer({ stored, endpoint });
    expect(await deliver(message)).toMatchObject({ kind: 'pending', became: 'failed' });
  });
});

describe('a new event that is refused', () => {
  it('fails the integration, and tells that the endpoint confirmed others', async () => {
    const { deliver, integrations } = refusing(CONFIRMED);
    expect(await deliver()).toMatchObject({ kind: 'pending', became: 'failed' });
    expect(integrations.all).toMatchObject([
      { trouble: { kind: 'failed', confirmedOthers: true } },
    ]);
  });

  it('is kept like a replayed one while a replay is under way', async () => {
    const replaying = { ...CONFIRMED, replayingUntil: ago(-1) };
    expect(await refusing(replaying).deliver()).not.toHaveProperty('became');
    const over = { ...CONFIRMED, replayingUntil: ago(0) };
    expect(await refusing(over).deliver()).toMatchObject({ became: 'failed' });
    const unknown = { ...PAUSING, replayingUntil: ago(-1) };
    expect(await refusing(unknown).deliver()).toMatchObject({ became: 'failed' });
  });

  it('is not taken for a replayed one when it backed off in the slow lane', async () => {
    const moved = queued(1, { trigger: 'rerouted', backoff: backoff({ hasSlot: true }) });
    expect(await refusing(CONFIRMED).deliver(moved)).toMatchObject({ became: 'failed' });
  });
});

describe('tolerated refusals in a row', () => {
  const withRefusals = (refusals: number, seconds = 65) => ({
    ...CONTINUING,
    confirmedAt: ago(600),
    streak: streak({ refusals, since: ago(seconds) }),
  });

  it.each([
    ['nineteen', 'waiting', withRefusals(18)],
    ['twenty', 'failed', withRefusals(19)],
    ['hundreds that began less than 65 seconds ago', 'waiting', withRefusals(400, 64.999)],
    ['hundreds that began 65 seconds ago', 'failed', withRefusals(400, 65)],
  ])('leave the integration, after %s, %s', async (_count, kind, stored) => {
    const { deliver, integrations, schedules } = refusing(stored);
    expect(await deliver()).toMatchObject({ kind: 'pending' });
    expect(integrations.all).toMatchObject([{ trouble: { kind } }]);
    expect(integrations.all[0]?.trouble).not.toHaveProperty('confirmedOthers');
    expect(schedules.all).toEqual([SCHEDULE]);
  });

  it('count different events: one of an earlier streak does not count', async () => {
    const stored = { ...withRefusals(19), confirmedAt: ago(7_200) };
    const { deliver, integrations } = refusing(stored);
    const again = queued(1, { trigger: 'replay', backoff: backoff({ since: ago(3) }) });
    expect(await deliver(again)).not.toHaveProperty('became');
    expect(integrations.all).toMatchObject([{ streak: { refusals: 19 } }]);
  });

  it('are counted anew after a change of the settings', async () => {
    const { deliver, integrations } = refusing({ ...withRefusals(19), updatedAt: ago(70) });
    const again = queued(1, { trigger: 'replay', backoff: backoff({ since: ago(3_600) }) });
    expect(await deliver(again)).toMatchObject({ became: 'failed' });
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'failed' } }]);
  });

  it('do not fail the integration when a success has just ended the streak', async () => {
    const { deliver, integrations } = refusing(withRefusals(19));
    const extendStreak = integrations.extendStreak.bind(integrations);
    integrations.extendStreak = async (...outcome) => {
      const extended = await extendStreak(...outcome);
      await integrations.confirm(CONTINUING, NOON);
      return extended;
    };
    expect(await deliver()).toMatchObject({ kind: 'pending' });
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'waiting' } }]);
  });
});

describe('a failed integration whose endpoint confirms other events', () => {
  it('is not sent a replayed event: it waits', async () => {
    const stored = { ...CONFIRMED, trouble: { ...trouble('failed'), confirmedOthers: true } };
    const { deliver, pendingEvents } = aDeliverer({ stored });
    expect(await deliver(REPLAYED)).toEqual({ kind: 'pending' });
    expect(pendingEvents.of(INTEGRATION)).toHaveLength(1);
  });
});

describe('a refused copy of an event that another message is delivering', () => {
  const EVENT = queued().delivery.event;
  const FAILED_BY_COPY = { ...trouble('failed'), event: EVENT.id };

  it('fails its integration only until the event is confirmed', async () => {
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await log.record(anAttempt({ event: EVENT, startedAt: secondsBeforeNoon(1) }, answered(409)));
      await integrations.begin(PAUSING, FAILED_BY_COPY);
      return answered(200);
    });
    const { deliver, integrations, log, replays } = aDeliverer({ stored: PAUSING, endpoint });
    expect(await deliver()).toMatchObject({ kind: 'delivered', endedTrouble: true });
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'waiting' } }]);
    expect(replays.requested).toHaveLength(1);
  });

  it('leaves a failure that came of another event', async () => {
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await log.record(anAttempt({ event: EVENT, startedAt: secondsBeforeNoon(1) }, answered(409)));
      await integrations.begin(PAUSING, { ...FAILED_BY_COPY, event: 'evt_other' });
      return answered(200);
    });
    const { deliver, integrations, log } = aDeliverer({ stored: PAUSING, endpoint });
    expect(await deliver()).toMatchObject({ kind: 'delivered', endedTrouble: false });
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'failed' } }]);
  });

  it('fails nothing if the event is confirmed while the copy is stored', async () => {
    const { deliver, integrations, pendingEvents, log } = refusing();
    const put = pendingEvents.put.bind(pendingEvents);
    pendingEvents.put = async (...stored) => {
      await put(...stored);
      await log.record(anAttempt({ event: EVENT, number: 2 }, answered(200)));
    };
    expect(await deliver()).not.toHaveProperty('became');
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'waiting' } }]);
    expect(pendingEvents.of(INTEGRATION)).toHaveLength(1);
  });
});
