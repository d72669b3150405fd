import { describe, expect, it } from 'vitest';
import { countOf } from '../support/count-of.ts';
import { changeIntegration } from './api-calls.ts';
import { Random } from './chance.ts';
import { type SteadyEvents, sendSteadily } from './steady-events.ts';
import type { World } from './world.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const ALL_GOOD = { isGood: () => true } as const;
const POLICIES = ['pause', 'continue'] as const;

/** Answers 429 beyond a rate, of which two seconds may come at once. */
const limitedTo = (perSecond: number) => {
  let allowed = 2 * perSecond;
  let latestMs = 0;
  return (sinceMs: number) => {
    const gained = ((sinceMs - latestMs) / SECOND_MS) * perSecond;
    allowed = Math.min(2 * perSecond, allowed + gained);
    latestMs = sinceMs;
    if (allowed < 1) return 'too-many-requests';
    allowed -= 1;
    return 'ok';
  };
};

describe('an endpoint that takes ten requests a second, after twenty minutes down', () => {
  it.each(POLICIES)('gets all events within two hours, and few too many: %s', async (policy) => {
    const limited = limitedTo(10);
    const waits = await sendSteadily({
      ...ALL_GOOD,
      everyMs: countOf({ usually: 5, long: 1 }) * SECOND_MS,
      hours: 4,
      onFatalError: policy,
      takesMs: () => 20,
      answer: (_event, sinceMs) =>
        sinceMs >= 10 * MINUTE_MS && sinceMs < 30 * MINUTE_MS ? 'error' : limited(sinceMs),
    });
    expect(waits.violation).toBeUndefined();
    expect(waits.goodSetAside).toBe(0);
    // An event that is refused again waits for two hours.
    expect(waits.undeliveredAfter(140)).toBeLessThan(waits.good / 100);
    const { ok = 0, 'too-many-requests': tooMany = 0 } = Object.fromEntries(waits.answers);
    expect(tooMany).toBeLessThanOrEqual(ok / 5);
  });
});

describe('an endpoint that takes sixty requests each minute, after twenty minutes down', () => {
  it.each(POLICIES)('gets nearly all events in time, and few too many: %s', async (policy) => {
    let taken = { minute: 0, count: 0 };
    const limited = (minute: number) => {
      taken = { minute, count: taken.minute === minute ? taken.count + 1 : 1 };
      return taken.count > 60 ? 'too-many-requests' : 'ok';
    };
    const waits = await sendSteadily({
      ...ALL_GOOD,
      everyMs: countOf({ usually: 5, long: 2 }) * SECOND_MS,
      hours: 4,
      onFatalError: policy,
      answer: (_event, sinceMs) =>
        sinceMs >= 10 * MINUTE_MS && sinceMs < 30 * MINUTE_MS
          ? 'error'
          : limited(Math.floor(sinceMs / MINUTE_MS)),
    });
    expect(waits.violation).toBeUndefined();
    expect(waits.goodSetAside).toBe(0);
    expect(waits.undeliveredAfter(140)).toBeLessThan(waits.good / 10);
    const { ok = 0, 'too-many-requests': tooMany = 0 } = Object.fromEntries(waits.answers);
    // New events go on while it replays, and meet the limit, too.
    expect(tooMany).toBeLessThanOrEqual(ok * 0.6);
  });
});

describe('an endpoint of which one backend in ten is broken', () => {
  it.each(POLICIES)('gets 99 %% of the events within four hours: %s', async (policy) => {
    const random = new Random(7);
    const waits = await sendSteadily({
      ...ALL_GOOD,
      everyMs: countOf({ usually: 30, long: 10 }) * SECOND_MS,
      hours: 20,
      onFatalError: policy,
      answer: () => (random.happens(0.1) ? 'bad-gateway' : 'ok'),
    });
    expect(waits.violation).toBeUndefined();
    expect(waits.goodSetAside).toBe(0);
    expect(waits.undeliveredAfter(12 * 60)).toBe(0);
    expect(waits.undeliveredAfter(4 * 60)).toBeLessThan(waits.good / 100);
  });
});

describe('an endpoint that is down for the same minutes of each hour', () => {
  const SEEDS = Array.from({ length: countOf({ usually: 2, long: 20 }) }, (_, seed) => seed + 1);
  it.each([
    [5, 'pause', 0, 4],
    [15, 'pause', 0, 4],
    [15, 'pause', 10, 4],
    // A refused event is attempted for twelve hours.
    [15, 'continue', 10, 13],
  ] as const)('gets all in time: %i minutes, %s, window of %i, %i hours', async (...given) => {
    const [down, onFatalError, flexibleMinutes, hours] = given;
    for (const seed of SEEDS) {
      const waits = await sendSteadily({
        ...ALL_GOOD,
        seed,
        everyMs: 5 * MINUTE_MS,
        hours: 72,
        onFatalError,
        flexibleMs: flexibleMinutes * MINUTE_MS,
        answer: (_event, sinceMs) => {
          const minute = (sinceMs / MINUTE_MS + seed * 7) % 60;
          return minute >= 35 && minute < 35 + down ? 'unavailable' : 'ok';
        },
      });
      expect(waits.violation).toBeUndefined();
      expect(waits.goodSetAside).toBe(0);
      expect(waits.longestMinutes()).toBeLessThan(hours * 60);
      expect(waits.undeliveredAfter(hours * 60)).toBe(0);
    }
  });
});

describe('a quiet endpoint that always answers 504 to one event', () => {
  it.each(['gateway-timeout', 'response-timeout'] as const)('never fails: %s', async (answer) => {
    const waits = await sendSteadily({
      everyMs: 5 * HOUR_MS,
      hours: 240,
      onFatalError: 'pause',
      answer: (event) => (event === 3 ? answer : 'ok'),
      isGood: (event) => event !== 3,
    });
    expect(waits.violation).toBeUndefined();
    expect(waits.wasFailed).toBe(false);
    expect(waits.setAside).toEqual([3]);
  });
});

describe('an endpoint that answers 409 to an event that it is working on', () => {
  it.each([50, 2_000])('stays active: a second message after %i ms', async (apartMs) => {
    const begun = new Set<number>();
    const sendAgain = ({ events, published }: World) => {
      for (const event of published.slice(-1)) events.send(event);
    };
    const waits = await sendSteadily({
      ...ALL_GOOD,
      everyMs: 10 * MINUTE_MS,
      hours: 2,
      onFatalError: 'pause',
      // The first answer comes after the second.
      takesMs: (event) => (begun.has(event) ? 0 : 3 * SECOND_MS),
      answer: (event) => {
        if (begun.has(event)) return 'conflict';
        begun.add(event);
        return 'ok';
      },
      meanwhile: Array.from({ length: 11 }, (_, index) => ({
        atMs: index * 10 * MINUTE_MS + apartMs,
        act: sendAgain,
      })),
    });
    expect(waits.violation).toBeUndefined();
    expect(waits.undeliveredAfter(1)).toBe(0);
    expect(waits.longestMinutes()).toBeLessThan(1);
    expect(waits.setAside).toEqual([]);
  });
});

describe('an endpoint that confirms slowly and refuses fast', () => {
  it('goes on through a replay of 480 events', async () => {
    const ending = 20 * MINUTE_MS;
    const isRefused = (event: number) => event <= 480 && event % 40 === 7;
    const waits = await sendSteadily({
      burst: 480,
      burstEveryMs: SECOND_MS,
      everyMs: MINUTE_MS,
      hours: 1,
      onFatalError: 'pause',
      takesMs: (event) => (isRefused(event) ? 0 : 900),
      answer: (event, sinceMs) => (sinceMs < ending || isRefused(event) ? 'error' : 'ok'),
      isGood: (event) => !isRefused(event),
      meanwhile: [
        {
          atMs: ending,
          act: (world) =>
            changeIntegration(world, { integration: 0, active: true, address: 0, secret: 1 }),
        },
      ],
    });
    expect(waits.violation).toBeUndefined();
    expect(waits.undeliveredAfter(22)).toBe(0);
    expect(waits.longestMinutes()).toBeLessThan(22);
  });
});

describe('events that an endpoint does not want', () => {
  const unwanted = (answer: 'unprocessable' | 'error'): SteadyEvents => ({
    everyMs: countOf({ usually: 6, long: 1 }) * MINUTE_MS,
    hours: 40,
    onFatalError: 'continue',
    answer: (event) => (event % 3 === 0 ? answer : 'ok'),
    isGood: (event) => event % 3 !== 0,
  });

  it.each(['unprocessable', 'error'] as const)('are attempted a few times: %s', async (answer) => {
    const waits = await sendSteadily(unwanted(answer));
    expect(waits.violation).toBeUndefined();
    expect(waits.refusedBeforeFailed).toBeUndefined();
    expect(waits.longestMinutes()).toBeLessThan(1);
    expect(waits.mostAttempts).toBeLessThanOrEqual(6);
  });
});
