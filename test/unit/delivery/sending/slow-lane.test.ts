import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { buildNoteSlowness, laneOf, slownessAfter } from '../../../../core/delivery/lanes.ts';
import type { MadeAttempt } from '../../../../core/delivery/sending/make-attempt.ts';
import type { Slowness } from '../../../../core/integration/integration.ts';
import { anAttempt } from '../../../support/delivery/attempts.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import {
  aDeliverer,
  answering,
  backoff,
  logBackingOff,
  NOON,
  queued,
  SCHEDULE,
  UNTROUBLED,
} from '../../../support/delivery/sending/troubled-deliverer.ts';
import { aWebhookRequest } from '../../../support/delivery/webhook-requests.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';

/** Noted so many milliseconds before noon. */
const scored = (score: number, msAgo = 300_000) => ({
  slowness: { score, notedAt: new Date(NOON.getTime() - msAgo).toISOString() },
});

const noted = (score: number, msAgo = 0) => scored(score, msAgo).slowness;

describe('the lane of an integration', () => {
  it.each([
    ['fast while nothing is noted', {}, 'fast'],
    ['fast after one attempt that timed out', scored(15_000), 'fast'],
    ['slow from the score of more than one on', scored(16_000), 'slow'],
    ['slow until ten minutes after the last slow attempt', scored(600_000, 599_999), 'slow'],
    ['fast after ten minutes', scored(600_000, 600_000), 'fast'],
  ] as const)('is %s', (_case, integration, lane) => {
    expect(laneOf(integration, NOON)).toBe(lane);
  });
});

describe('the score of an integration', () => {
  it.each([
    ['grows by the time of slow attempts', scored(3_000), 2_000, noted(5_000)],
    ['keeps its time when it falls', scored(3_000), -1_000, noted(2_000, 300_000)],
    ['becomes the highest with the slow lane', scored(14_999), 1_001, noted(600_000)],
    ['is at most the highest', scored(599_000), 9_000, noted(600_000)],
    ['ends with enough fast attempts', scored(400), -1_000, noted(0, 300_000)],
    ['begins anew after ten minutes', scored(9_000, 600_000), 1_000, noted(1_000)],
  ])('%s', (_case, before, taken, slowness) => {
    expect(slownessAfter(before, taken, NOON)).toEqual(slowness);
  });

  it('stays unwritten for a fast endpoint', () => {
    expect(slownessAfter({}, -50, NOON)).toBeUndefined();
    expect(slownessAfter(scored(9_000, 600_000), -50, NOON)).toBeUndefined();
  });

  it('is noted once a minute while it stays the same', () => {
    const taken = 10_000;
    expect(slownessAfter(scored(600_000, 59_999), taken, NOON)).toBeUndefined();
    expect(slownessAfter(scored(600_000, 60_000), taken, NOON)).toEqual(noted(600_000));
  });
});

const SLOW = { ...UNTROUBLED, ...scored(100_000) };

const isSlow = async () => true;

describe('a slow attempt', () => {
  it('is noted on the integration before it ends', async () => {
    let noted: Slowness | undefined;
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      while (noted === undefined) {
        await setImmediate();
        noted = integrations.all[0]?.slowness;
      }
      return answered(200);
    });
    const { deliver, integrations } = aDeliverer({ endpoint, isSlow });
    expect(await deliver()).toMatchObject({ kind: 'delivered' });
    expect(noted).toEqual({ score: 1_000, notedAt: NOON.toISOString() });
  });

  it('does not fail its delivery when it cannot be noted', async () => {
    const { deliver, integrations } = aDeliverer({ endpoint: answering(200), isSlow });
    integrations.noteSlowness = () => Promise.reject(new Error('throttled'));
    expect(await deliver()).toMatchObject({ kind: 'delivered' });
  });
});

describe('the attempts of a batch', () => {
  const OTHER = anIntegration({ id: 'bbbbbbbbbbbb' });

  /** Watches attempts that end when they are told to, at an instant that the test sets. */
  const aWatch = (stored = UNTROUBLED, { random = 0.5 } = {}) => {
    const integrations = new InMemoryIntegrations(stored, OTHER);
    const notes: [string, number][] = [];
    const note = integrations.noteSlowness.bind(integrations);
    integrations.noteSlowness = (read, slowness) => {
      notes.push([read.id, slowness.score]);
      return note(read, slowness);
    };
    let nowMs = NOON.getTime();
    const slow = new Set<Promise<unknown>>();
    const ports = {
      integrations,
      states: integrations,
      isSlow: async (attempt: Promise<unknown>) => slow.has(attempt),
      now: () => new Date(nowMs),
      random: () => random,
    };
    const made: MadeAttempt = { attempt: anAttempt(), request: aWebhookRequest() };
    const attempts = (...what: readonly [typeof OTHER, 'slow' | 'fast'][]) => {
      const watch = buildNoteSlowness(ports);
      const ends = Promise.withResolvers<MadeAttempt>();
      const watched = what.map(([integration, pace]) => {
        const attempt = pace === 'slow' ? ends.promise.then() : Promise.resolve(made);
        if (pace === 'slow') slow.add(attempt);
        return watch(integration, attempt);
      });
      return async (tookMs: number) => {
        nowMs += tookMs;
        ends.resolve(made);
        await Promise.all(watched);
      };
    };
    return { attempts, notes, integrations };
  };

  it('are noted together: after a second when slow, the rest at the end', async () => {
    const { attempts, notes } = aWatch();
    const end = attempts([UNTROUBLED, 'slow'], [OTHER, 'slow'], [UNTROUBLED, 'slow']);
    await end(2_500);
    expect(notes).toEqual([
      [OTHER.id, 1_000],
      [UNTROUBLED.id, 2_000],
      [OTHER.id, 2_500],
      [UNTROUBLED.id, 5_000],
    ]);
  });

  it('add to what a batch has noted that ran side by side', async () => {
    const { attempts, integrations } = aWatch();
    const ends = Array.from({ length: 3 }, () => attempts([UNTROUBLED, 'slow']));
    for (const end of ends) await end(1_000);
    // Of the first seconds, noted at one instant, one counts.
    expect(integrations.all).toMatchObject([{ slowness: { score: 4_000 } }, {}]);
  });

  it('are not noted when all are fast and the score is zero', async () => {
    const { attempts, notes } = aWatch(UNTROUBLED, { random: 0 });
    await attempts([UNTROUBLED, 'fast'])(0);
    expect(notes).toEqual([]);
  });

  it.each([
    ['in one batch of twenty, for all of them', 0.0499, [[UNTROUBLED.id, 98_000]]],
    ['in no other', 0.05, []],
  ])('make up for slow ones %s', async (_case, random, expected) => {
    const { attempts, notes } = aWatch(SLOW, { random });
    await attempts([SLOW, 'fast'], [SLOW, 'fast'])(0);
    expect(notes).toEqual(expected);
  });
});

describe('a delivery of an integration in the slow lane', () => {
  it('goes from the fast lane to the slow lane, without an attempt', async () => {
    const { deliver, slowLane } = aDeliverer({ stored: SLOW });
    const message = queued();
    expect(await deliver(message)).toEqual({ kind: 'moved' });
    expect(slowLane.deliveries).toEqual([message.delivery]);
  });

  it('takes its attempts along, and that it backs off', async () => {
    const deliverer = aDeliverer({ stored: SLOW });
    const message = queued(3, { priorAttempts: 2 });
    await logBackingOff(deliverer, message);
    expect(await deliverer.deliver(message)).toEqual({ kind: 'moved' });
    expect(deliverer.slowLane.deliveries).toMatchObject([
      {
        priorAttempts: 4,
        trigger: 'rerouted',
        backoff: backoff({ attempts: 2, hasSlot: true }),
      },
    ]);
  });

  it.each([
    ['replayed', { trigger: 'replay' as const }],
    ['replayed while it backed off', { trigger: 'replay' as const, backoff: backoff() }],
  ])('is still known to be %s when it backs off', async (_case, overrides) => {
    const deliverer = aDeliverer({ stored: SLOW });
    const message = queued(2, overrides);
    await logBackingOff(deliverer, message);
    expect(await deliverer.deliver(message)).toEqual({ kind: 'moved' });
    const moved = deliverer.slowLane.deliveries;
    expect(moved).toMatchObject([{ trigger: 'replay', backoff: { hasSlot: true } }]);
    const { deliver, log } = aDeliverer({
      stored: SLOW,
      endpoint: answering(204),
      lane: 'slow',
    });
    await deliver(queued(1, moved[0]));
    expect(log.attempts).toMatchObject([{ trigger: 'backoff' }]);
  });

  it('has no backoff when its message comes back by a fault of the service', async () => {
    const { deliver, slowLane } = aDeliverer({ stored: SLOW });
    await deliver(queued(2));
    // The log is asked about it: an earlier receive may have delivered it.
    expect(slowLane.deliveries).toMatchObject([{ trigger: 'rerouted' }]);
    expect(slowLane.deliveries[0]).not.toHaveProperty('backoff');
  });

  it('is replayed within the hour when an earlier receive may have stored it', async () => {
    const { deliver, integrations, schedules } = aDeliverer({ stored: SLOW });
    await deliver(queued(2));
    expect(schedules.all).toEqual([SCHEDULE]);
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'waiting' } }]);
  });

  it('is not moved when the settings have changed since they were read', async () => {
    const { deliver, integrations, slowLane } = aDeliverer({ stored: SLOW });
    const find = integrations.find.bind(integrations);
    integrations.find = async (...key) => {
      const read = await find(...key);
      await integrations.replace(anIntegration({ epoch: 5 }), SLOW);
      return read;
    };
    expect(await deliver(queued(2))).toMatchObject({ kind: 'outdated' });
    expect(slowLane.deliveries).toEqual([]);
  });

  it('stays a resend that is sent in any case', async () => {
    const { deliverAgain, slowLane } = aDeliverer({ stored: SLOW });
    await deliverAgain(queued(2, { trigger: 'manual' }));
    expect(slowLane.deliveries).toMatchObject([
      { trigger: 'manual', backoff: backoff({ hasSlot: true }) },
    ]);
  });

  it('is attempted in the slow lane', async () => {
    const endpoint = answering(204);
    const { deliver } = aDeliverer({ stored: SLOW, endpoint, lane: 'slow' });
    expect(await deliver()).toMatchObject({ kind: 'delivered' });
    expect(endpoint.requests).toHaveLength(1);
  });
});
