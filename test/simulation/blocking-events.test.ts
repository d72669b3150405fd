import { describe, expect, it } from 'vitest';
import { countOf } from '../support/count-of.ts';
import { changeIntegration, resendDelivery } from './api-calls.ts';
import { CALM } from './chance.ts';
import { sendSteadily } from './steady-events.ts';
import type { World } from './world.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

describe('an endpoint that does not answer to some of its events', () => {
  const everyMs = countOf({ usually: 10, long: 1 }) * MINUTE_MS;

  it('gets all others within 61 minutes although ten are the oldest', async () => {
    const waits = await sendSteadily({
      burst: 10,
      everyMs,
      hours: 26,
      onFatalError: 'pause',
      answer: (event, sinceMs) => {
        if (sinceMs < 5 * MINUTE_MS) return 'error';
        return event <= 10 ? 'response-timeout' : 'ok';
      },
      isGood: (event) => event > 10,
    });
    expect(waits.violation).toBeUndefined();
    expect(waits.longestMinutes()).toBeLessThan(61);
    expect(waits.undeliveredAfter(61)).toBe(0);
    expect(waits.setAside).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it.each(['pause', 'continue'] as const)(
    'gets all others within 61 minutes although 120 come first: %s',
    async (onFatalError) => {
      const waits = await sendSteadily({
        burst: 120,
        burstEveryMs: SECOND_MS,
        everyMs,
        hours: 30,
        onFatalError,
        answer: (event) => (event <= 120 ? 'response-timeout' : 'ok'),
        isGood: (event) => event > 120,
      });
      expect(waits.violation).toBeUndefined();
      expect(waits.longestMinutes()).toBeLessThan(61);
      expect(waits.undeliveredAfter(61)).toBe(0);
      expect(waits.setAside).toHaveLength(120);
    },
  );
});

describe('an endpoint that refuses its ten oldest and its two newest events', () => {
  it.each([1, 2, 3, 4, 5])(
    'gets the fifty between them within five hours: seed %d',
    async (seed) => {
      const isGood = (event: number) => event > 10 && event <= 60;
      const waits = await sendSteadily({
        seed,
        burst: 62,
        burstEveryMs: SECOND_MS,
        hours: 6,
        onFatalError: 'pause',
        answer: (event, sinceMs) => (sinceMs >= 5 * MINUTE_MS && isGood(event) ? 'ok' : 'error'),
        isGood,
      });
      expect(waits.violation).toBeUndefined();
      expect(waits.undeliveredAfter(5 * 60)).toBe(0);
    },
  );
});

describe('an event that answers 504 for twelve hours while others are confirmed', () => {
  const changeSettings = (world: World) =>
    changeIntegration(world, { integration: 0, active: true, address: 0, secret: 1 });
  const failToCount = ({ machine }: World) => {
    machine.failingCall = 'states.extendStreak';
    machine.failingFate = 'fault before';
  };

  it.each([
    ['the settings change', { atMs: 6 * 60 * MINUTE_MS, act: changeSettings }],
    ['it was not counted', { atMs: 0, act: failToCount }],
  ])('is set aside and fails nothing, although %s', async (_, happening) => {
    const waits = await sendSteadily({
      burst: 1,
      onFatalError: 'pause',
      answer: (event) => (event === 1 ? 'gateway-timeout' : 'ok'),
      isGood: (event) => event > 1,
      everyMs: countOf({ usually: 10, long: 1 }) * MINUTE_MS,
      // A change of settings begins the twelve hours anew.
      hours: 20,
      meanwhile: [happening],
    });
    expect(waits.violation).toBeUndefined();
    expect(waits.wasFailed).toBe(false);
    expect(waits.setAside).toEqual([1]);
    expect(waits.undeliveredAfter(1)).toBe(0);
  });
});

describe('an endpoint that answers 409 to an event that it has', () => {
  it.each([
    [
      'the platform sends it again',
      ({ events, published }: World) => {
        for (const event of published.slice(-1)) events.send(event);
      },
    ],
    ['an admin resends it', (world: World) => resendDelivery(world, { integration: 0, back: 0 })],
  ])('stays active and has it delivered when %s', async (_, sendAgain) => {
    const waits = await sendSteadily({
      everyMs: 10 * MINUTE_MS,
      hours: 3,
      onFatalError: 'pause',
      answer: () => 'ok',
      isGood: () => true,
      refusesDuplicates: true,
      meanwhile: [{ atMs: 65 * MINUTE_MS, act: sendAgain }],
    });
    expect(waits.violation).toBeUndefined();
    expect(waits.wasFailed).toBe(false);
    expect(waits.setAside).toEqual([]);
    expect(waits.loggedDelivered.size).toBe(waits.good);
  });
});

describe('an integration whose endpoint recovers while a fifth of all calls fail', () => {
  /** The minutes that the event waits for its delivery. */
  const recovery = async (seed: number): Promise<number> => {
    const waits = await sendSteadily({
      seed,
      burst: 1,
      hours: 12,
      onFatalError: 'pause',
      answer: (_event, sinceMs) => (sinceMs < 5 * MINUTE_MS ? 'error' : 'ok'),
      isGood: () => true,
      meanwhile: [
        {
          atMs: 10 * MINUTE_MS,
          act: ({ machine }) => {
            machine.chaos = { ...CALM, fault: 0.2 };
          },
        },
      ],
    });
    expect(waits.violation).toBeUndefined();
    expect(waits.undeliveredAfter(0)).toBe(0);
    return waits.longestMinutes();
  };

  it('gets its event with the first hourly retry, mostly', async () => {
    const seeds = Array.from({ length: countOf({ usually: 20, long: 200 }) }, (_, seed) => seed);
    const minutes = await Promise.all(seeds.map(recovery));
    const soon = minutes.filter((waited) => waited < 80);
    expect(soon.length / seeds.length).toBeGreaterThan(0.7);
  });
});
