import { describe, expect, it } from 'vitest';
import { buildWatchBatch, laneOf, slownessAfter } from '../../../../core/delivery/lanes.ts';
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

const noted = (score: number) => ({ score, notedAt: NOON.toISOString() });

const FAST_ATTEMPT = { slow: 0, fast: 1 };
const SLOW_ATTEMPT = { slow: 1, fast: 0 };

describe('the lane of an integration', () => {
  it.each([
    ['fast while nothing is noted', {}, 'fast'],
    ['fast below the score of two slow attempts', scored(7), 'fast'],
    ['slow from that score on', scored(8), 'slow'],
    ['slow until an hour has passed', scored(16, 3_599_999), 'slow'],
    ['fast after an hour', scored(16, 3_600_000), 'fast'],
  ] as const)('is %s', (_case, integration, lane) => {
    expect(laneOf(integration, NOON)).toBe(lane);
  });
});

describe('the score of an integration', () => {
  it.each([
    ['adds four for a slow attempt', {}, SLOW_ATTEMPT, 4],
    ['takes one off for a fast attempt', scored(12), FAST_ATTEMPT, 11],
    ['counts all attempts of a batch at once', scored(4), { slow: 3, fast: 2 }, 14],
    ['is at most that of four slow attempts', scored(14), { slow: 9, fast: 0 }, 16],
    ['ends with enough fast attempts', scored(3), { slow: 0, fast: 10 }, 0],
    ['begins anew after an hour', scored(16, 3_600_000), SLOW_ATTEMPT, 4],
  ])('%s', (_case, before, attempts, score) => {
    expect(slownessAfter(before, attempts, NOON)).toEqual(noted(score));
  });

  it('stays unwritten for a fast endpoint', () => {
    expect(slownessAfter({}, FAST_ATTEMPT, NOON)).toBeUndefined();
    expect(slownessAfter({}, { slow: 1, fast: 4 }, NOON)).toBeUndefined();
  });

  it('is noted once a minute while it stays the same', () => {
    const attempts = { slow: 10, fast: 0 };
    expect(slownessAfter(scored(16, 59_999), attempts, NOON)).toBeUndefined();
    expect(slownessAfter(scored(16, 60_000), attempts, NOON)).toEqual(noted(16));
  });
});

const SLOW = { ...UNTROUBLED, ...scored(12) };

const isSlow = async () => true;

describe('a slow attempt', () => {
  it('is noted on the integration before it ends', async () => {
    let noted: Slowness | undefined;
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      while (noted === undefined) {
        await Promise.resolve();
        noted = integrations.all[0]?.slowness;
      }
      return answered(200);
    });
    const { deliver, integrations } = aDeliverer({ endpoint, isSlow });
    expect(await deliver()).toMatchObject({ kind: 'delivered' });
    expect(noted).toEqual({ score: 4, notedAt: NOON.toISOString() });
  });

  it('does not fail its delivery when it cannot be noted', async () => {
    const { deliver, integrations } = aDeliverer({ endpoint: answering(200), isSlow });
    integrations.noteSlowness = () => Promise.reject(new Error('throttled'));
    expect(await deliver()).toMatchObject({ kind: 'delivered' });
  });
});

describe('the attempts of a batch', () => {
  const OTHER = anIntegration({ id: 'bbbbbbbbbbbb' });

  /** What is noted when a batch has attempts of these integrations, some of them slow. */
  const watching = async (stored: readonly (typeof OTHER)[], slow: readonly boolean[]) => {
    const integrations = new InMemoryIntegrations(UNTROUBLED, OTHER);
    const noted: [string, number][] = [];
    integrations.noteSlowness = async ({ id }, { score }) => {
      noted.push([id, score]);
      return true;
    };
    const made: MadeAttempt = { attempt: anAttempt(), request: aWebhookRequest() };
    const attempts = slow.map(() => Promise.resolve(made));
    const slowOnes = new Set<Promise<unknown>>(attempts.filter((_, index) => slow[index]));
    const watch = buildWatchBatch({
      integrations,
      states: integrations,
      isSlow: async (attempt) => slowOnes.has(attempt),
      now: () => NOON,
    })();
    await Promise.all(
      attempts.map((attempt, index) => watch(stored[index] ?? UNTROUBLED, attempt)),
    );
    return noted;
  };

  it('are noted once for each integration, with how many of them were slow', async () => {
    const stored = [UNTROUBLED, OTHER, UNTROUBLED, OTHER, UNTROUBLED];
    const noted = await watching(stored, [true, true, true, true, false]);
    expect(noted).toEqual([
      [OTHER.id, 8],
      [UNTROUBLED.id, 7],
    ]);
  });

  it('add to what a batch has noted that ran side by side', async () => {
    const integrations = new InMemoryIntegrations(UNTROUBLED);
    let nowMs = NOON.getTime();
    const now = () => {
      nowMs += 1;
      return new Date(nowMs);
    };
    const watchBatch = buildWatchBatch({ integrations, states: integrations, isSlow, now });
    const made: MadeAttempt = { attempt: anAttempt(), request: aWebhookRequest() };
    const batches = Array.from({ length: 5 }, () => watchBatch());
    await Promise.all(batches.map((watch) => watch(UNTROUBLED, Promise.resolve(made))));
    // Enough for the slow lane: the others note nothing.
    expect(integrations.all).toMatchObject([{ slowness: { score: 8 } }]);
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
        trigger: 'backoff',
        backsOff: true,
        backingOffSince: NOON.toISOString(),
      },
    ]);
  });

  it.each([
    ['replayed', { trigger: 'replay' as const }],
    ['replayed while it backed off', { trigger: 'backoff' as const }],
  ])('is still known to be %s when it backs off', async (_case, wishes) => {
    const deliverer = aDeliverer({ stored: SLOW });
    const message = queued(2, wishes);
    await logBackingOff(deliverer, message);
    expect(await deliverer.deliver(message)).toEqual({ kind: 'moved' });
    const moved = deliverer.slowLane.deliveries;
    expect(moved).toMatchObject([{ trigger: 'replay', backsOff: true }]);
    const { deliver, log } = aDeliverer({
      stored: SLOW,
      endpoint: answering(204),
      lane: 'slow',
    });
    await deliver(queued(1, moved[0]));
    expect(log.attempts).toMatchObject([{ trigger: 'backoff' }]);
  });

  it('is not taken to back off when its message came back by a fault of the service', async () => {
    const { deliver, slowLane } = aDeliverer({ stored: SLOW });
    await deliver(queued(2));
    // The log is asked about it: an earlier receive may have delivered it.
    expect(slowLane.deliveries).toMatchObject([{ trigger: 'rerouted' }]);
    expect(slowLane.deliveries[0]).not.toHaveProperty('backsOff');
  });

  it('is replayed within the hour, too, when an earlier receive may have stored it', async () => {
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
      { trigger: 'manual', backingOffSince: NOON.toISOString() },
    ]);
  });

  it('is attempted in the slow lane', async () => {
    const endpoint = answering(204);
    const { deliver } = aDeliverer({ stored: SLOW, endpoint, lane: 'slow' });
    expect(await deliver()).toMatchObject({ kind: 'delivered' });
    expect(endpoint.requests).toHaveLength(1);
  });
});
