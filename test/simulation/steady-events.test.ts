import { describe, expect, it } from 'vitest';
import type { OnFatalError } from '../../core/integration/settings.ts';
import { countOf } from '../support/count-of.ts';
import { Random } from './chance.ts';
import { sendSteadily } from './steady-events.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Between two events. */
const STEP_MS = countOf({ usually: 4, long: 1 }) * SECOND_MS;

/** Whether an event is one that the endpoint always refuses: the same for every attempt. */
const isRefused = (share: number) => (event: number) => new Random(event).next() < share;

/**
 * An endpoint that always refuses a share of the events, drawn by chance, and confirms the others.
 */
const refusing = (share: number, onFatalError: OnFatalError) => ({
  everyMs: STEP_MS,
  hours: 4,
  onFatalError,
  answer: (event: number) => (isRefused(share)(event) ? ('error' as const) : ('ok' as const)),
  isGood: (event: number) => !isRefused(share)(event),
});

/** An endpoint that always answers so to the events of a burst, and confirms all later ones. */
const troublesomeBurst = (burst: number, answer: 'error' | 'gateway-timeout') => ({
  burst,
  onFatalError: 'pause' as const,
  answer: (event: number) => (event <= burst ? answer : ('ok' as const)),
  isGood: (event: number) => event > burst,
});

describe('an endpoint that refuses some of its events', () => {
  it.each([
    [0.01, 61],
    [0.3, 121],
  ])('gets the others within the hour, or two, when it pauses: %d refused', async (share, most) => {
    const waits = await sendSteadily(refusing(share, 'pause'));
    expect(waits.violation).toBeUndefined();
    expect(waits.longestMinutes()).toBeLessThan(most);
    expect(waits.undeliveredAfter(most)).toBe(0);
    expect(waits.goodSetAside).toBe(0);
  });

  it.each([0.01, 0.3])('gets the others at once when it continues: %d refused', async (share) => {
    const waits = await sendSteadily(refusing(share, 'continue'));
    expect(waits.violation).toBeUndefined();
    expect(waits.longestMinutes()).toBeLessThan(1 / 60);
    expect(waits.undeliveredAfter(1)).toBe(0);
    expect(waits.refusedBeforeFailed).toBeUndefined();
  });

  it('gets the others soon after the hour although it refuses the oldest 500', async () => {
    const waits = await sendSteadily({
      ...troublesomeBurst(500, 'error'),
      everyMs: 4 * SECOND_MS,
      hours: 6,
    });
    expect(waits.violation).toBeUndefined();
    expect(waits.longestMinutes()).toBeLessThan(70);
    expect(waits.undeliveredAfter(70)).toBe(0);
    // The replay after the first hour has come upon all refused events, and goes on.
    const later = { fromMinute: 75, toMinute: 6 * 60 };
    expect(waits.longestMinutes(later)).toBeLessThan(1 / 60);
  });

  it('gets the good ones of its oldest events though it refuses newer ones', async () => {
    const isGood = (event: number) => event > 1 && event <= 10;
    const waits = await sendSteadily({
      burst: 10,
      everyMs: MINUTE_MS,
      hours: 4,
      onFatalError: 'pause',
      answer: (event, sinceMs) => (isGood(event) && sinceMs >= MINUTE_MS ? 'ok' : 'error'),
      isGood,
    });
    expect(waits.violation).toBeUndefined();
    expect(waits.undeliveredAfter(121)).toBe(0);
  });
});

describe('an endpoint that answers 504 to some of its events', () => {
  it.each([
    ['', 0],
    [', when each page of a replay takes many runs', 0.9],
  ])(
    'gets the others at once, and those as often as their backoff allows%s',
    async (_, outOfTime) => {
      const waits = await sendSteadily({
        ...troublesomeBurst(240, 'gateway-timeout'),
        everyMs: 10 * SECOND_MS,
        hours: 5,
        outOfTime,
      });
      expect(waits.violation).toBeUndefined();
      expect(waits.longestMinutes()).toBeLessThan(1 / 60);
      expect(waits.undeliveredAfter(1)).toBe(0);
    },
  );
});

describe('an endpoint that refuses everything for 24 minutes, and is to continue', () => {
  const outage = { fromMs: 10 * MINUTE_MS, toMs: 34 * MINUTE_MS };

  it('fails after 20 events, and gets all of them within the hour after', async () => {
    const waits = await sendSteadily({
      everyMs: STEP_MS,
      hours: 3,
      onFatalError: 'continue',
      answer: (_event, sinceMs) =>
        sinceMs >= outage.fromMs && sinceMs < outage.toMs ? 'error' : 'ok',
      isGood: () => true,
    });
    expect(waits.violation).toBeUndefined();
    expect(waits.refusedBeforeFailed).toBe(20);
    expect(waits.goodSetAside).toBe(0);
    expect(waits.undeliveredAfter(61)).toBe(0);
    const lastMinute = { fromMinute: 33, toMinute: 34 };
    expect(waits.longestMinutes(lastMinute)).toBeLessThan(61);
  });
});

describe('an endpoint that does not answer for six minutes', () => {
  const outage = { fromMs: 10 * MINUTE_MS, toMs: 16 * MINUTE_MS };

  it('gets all events soon after, because probes go on in the slow lane', async () => {
    const waits = await sendSteadily({
      everyMs: STEP_MS,
      hours: 2,
      onFatalError: 'pause',
      answer: (_event, sinceMs) =>
        sinceMs >= outage.fromMs && sinceMs < outage.toMs ? 'response-timeout' : 'ok',
      isGood: () => true,
    });
    expect(waits.violation).toBeUndefined();
    expect(waits.longestMinutes()).toBeLessThan(20);
    expect(waits.undeliveredAfter(20)).toBe(0);
  });
});

describe('an endpoint that refuses an event while others wait for the hour', () => {
  it('has its first retry when that hour is over', async () => {
    const refusing = { fromMs: 45 * MINUTE_MS, toMs: 46 * MINUTE_MS };
    const waits = await sendSteadily({
      ...troublesomeBurst(60, 'gateway-timeout'),
      everyMs: 10 * SECOND_MS,
      hours: 3,
      answer: (event, sinceMs) => {
        if (sinceMs >= refusing.fromMs && sinceMs < refusing.toMs) return 'error';
        return event <= 60 ? 'gateway-timeout' : 'ok';
      },
    });
    expect(waits.violation).toBeUndefined();
    expect(waits.longestMinutes()).toBeLessThan(17);
    expect(waits.undeliveredAfter(17)).toBe(0);
  });
});

describe('an integration whose secret no try opens', () => {
  it('keeps no messages of its events in the queues', async () => {
    const waits = await sendSteadily({
      everyMs: SECOND_MS,
      hours: 1,
      onFatalError: 'pause',
      answer: () => 'ok',
      isGood: () => true,
      hasUnreadableSecret: true,
    });
    expect(waits.violation).toBeUndefined();
    expect(waits.mostQueued).toBeLessThan(10);
  });
});
