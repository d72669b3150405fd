import { describe, expect, it } from 'vitest';
import { countOf } from '../support/count-of.ts';
import { Random } from './chance.ts';
import { type SteadyEvents, sendSteadily, type Waits } from './steady-events.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

type Answer = ReturnType<SteadyEvents['answer']>;
type Endpoint = Required<Pick<SteadyEvents, 'answer' | 'takesMs'>>;

/** Decides when an attempt begins, and answers so much later. */
const deciding = (decide: (event: number, atMs: number) => [Answer, number]): Endpoint => {
  const decided = new Map<number, Answer>();
  return {
    takesMs: (event, atMs) => {
      const [answer, takesMs] = decide(event, atMs);
      decided.set(event, answer);
      return takesMs;
    },
    answer: (event) => decided.get(event) ?? 'ok',
  };
};

/** Down, as of a minute, for so many minutes. */
const isDown = (atMs: number, minutes = 20) =>
  atMs >= 10 * MINUTE_MS && atMs < (10 + minutes) * MINUTE_MS;

/** Takes one request at a time, and refuses the others. */
const oneAtATime = (takesMs: number, refusal: Answer, downMinutes: number): Endpoint => {
  let freeAtMs = 0;
  return deciding((_event, atMs) => {
    if (isDown(atMs, downMinutes)) return ['error', 5];
    if (atMs < freeAtMs) return [refusal, 5];
    freeAtMs = atMs + takesMs;
    return ['ok', takesMs];
  });
};

/** Refuses what is beyond so many requests of a period. */
const limited = (most: number, periodMs: number, refusal: Answer): Endpoint => {
  let period = { number: 0, count: 0 };
  return deciding((_event, atMs) => {
    if (isDown(atMs)) return ['error', 5];
    const number = Math.floor(atMs / periodMs);
    period = { number, count: period.number === number ? period.count + 1 : 1 };
    return [period.count > most ? refusal : 'ok', 20];
  });
};

/** Locks the record of a contact, which two events share. */
const lockingContacts = (): Endpoint => {
  const lockedUntilMs = new Map<number, number>();
  return deciding((event, atMs) => {
    const contact = Math.floor((event - 1) / 2);
    if ((lockedUntilMs.get(contact) ?? 0) > atMs) return ['conflict', 5];
    lockedUntilMs.set(contact, atMs + 400);
    return ['ok', 400];
  });
};

const oneBackendOfThree = (refusal: Answer, hours: number): Endpoint => {
  const random = new Random(7);
  return deciding((_event, atMs) => [
    atMs < hours * HOUR_MS && random.happens(1 / 3) ? refusal : 'ok',
    20,
  ]);
};

/** Sleeps after a quarter of an hour without a request, and is awake 20 seconds after the next. */
const sleeping = (): Endpoint => {
  let [latestMs, awakeAtMs] = [Number.NEGATIVE_INFINITY, 0];
  return deciding((_event, atMs) => {
    if (atMs - latestMs >= 15 * MINUTE_MS) awakeAtMs = atMs + 20 * SECOND_MS;
    latestMs = atMs;
    return [atMs < awakeAtMs ? 'unavailable' : 'ok', 20];
  });
};

const POLICIES = ['pause', 'continue'] as const;

type Scene = [name: string, endpoint: () => Endpoint, everyMs: number, hoursOfEvents: number];

const OFTEN_MS = countOf({ usually: 20, long: 2 }) * SECOND_MS;
const SOMETIMES_MS = 2 * MINUTE_MS;

const SCENES: readonly Scene[] = [
  ['takes one request at a time', () => oneAtATime(300, 'conflict', 20), OFTEN_MS, 3],
  ['is locked, for an hour and at times', () => oneAtATime(300, 'error', 60), OFTEN_MS, 3],
  ['takes ten a second', () => limited(10, SECOND_MS, 'forbidden'), OFTEN_MS, 3],
  ['takes a hundred in five minutes', () => limited(100, 5 * MINUTE_MS, 'forbidden'), OFTEN_MS, 3],
  ['has one broken backend of three', () => oneBackendOfThree('unauthorized', 8), SOMETIMES_MS, 9],
  ['is deployed on one host of three', () => oneBackendOfThree('not-found', 8), SOMETIMES_MS, 9],
];

const expectAll = (waits: Waits, late: number): void => {
  expect(waits.violation).toBeUndefined();
  expect(waits.goodSetAside).toBe(0);
  expect(waits.undeliveredAfter(late)).toBe(0);
};

describe('an endpoint that confirms each event at another moment', () => {
  it.each(SCENES.flatMap((scene) => POLICIES.map((policy) => [policy, ...scene] as const)))(
    'gets all (%s): it %s',
    async (onFatalError, _name, endpoint, burstEveryMs, hoursOfEvents) => {
      const burst = (hoursOfEvents * HOUR_MS) / burstEveryMs;
      const waits = await sendSteadily({
        ...{ ...endpoint(), isGood: () => true, onFatalError },
        ...{ burst, burstEveryMs, hours: hoursOfEvents + 14 },
      });
      expectAll(waits, 0);
    },
  );

  it.each(POLICIES)(
    'gets two events of a contact that it locks within hours: %s',
    async (policy) => {
      const waits = await sendSteadily({
        ...{ ...lockingContacts(), isGood: () => true, onFatalError: policy },
        ...{ everyMs: MINUTE_MS, atOnce: 2, hours: 8 },
      });
      expectAll(waits, 180);
    },
  );

  it.each(
    [10, 20, 100, 24 * 60].flatMap((minutes) => POLICIES.map((one) => [minutes, one] as const)),
  )(
    'gets all within two hours if it sleeps: an event each %i minutes, %s',
    async (minutes, onFatalError) => {
      const everyMs = minutes * MINUTE_MS;
      const hours = Math.max(12, (minutes / 60) * 8);
      const isGood = () => true;
      const waits = await sendSteadily({ ...sleeping(), isGood, onFatalError, everyMs, hours });
      expectAll(waits, 120);
      expect(waits.longestMinutes()).toBeLessThan(120);
    },
  );

  it.each(POLICIES)(
    'gets all though it sleeps and refuses the newest, %s',
    async (onFatalError) => {
      const asleep = sleeping();
      const isGood = (event: number) => event % 2 === 1;
      const waits = await sendSteadily({
        ...{ ...asleep, isGood, onFatalError, everyMs: 20 * MINUTE_MS, hours: 12 },
        answer: (event, number) => {
          const answer = asleep.answer(event, number);
          return answer === 'ok' && !isGood(event) ? 'unprocessable' : answer;
        },
      });
      expectAll(waits, 180);
      expect(waits.longestMinutes()).toBeLessThan(180);
    },
  );
});

describe('a customer with one event a day, one of which is never confirmed', () => {
  it.each(['error', 'gateway-timeout'] as const)('is failed for one event: %s', async (answer) => {
    const waits = await sendSteadily({
      ...{ everyMs: 24 * HOUR_MS, hours: 12 * 24, onFatalError: 'pause' },
      isGood: (event) => event !== 5,
      answer: (event) => (event === 5 ? answer : 'ok'),
    });
    expectAll(waits, 24 * 60);
    expect(waits.failedEvents).toBe(1);
    expect(waits.setAside).toEqual([5]);
  });
});

describe('events that an endpoint never confirms, while it confirms others', () => {
  it.each(POLICIES)('are attempted few times: %s', async (onFatalError) => {
    const isGood = (event: number) => event % 50 !== 0;
    const waits = await sendSteadily({
      ...{ everyMs: 3 * MINUTE_MS, hours: 40, onFatalError, isGood },
      answer: (event) => (isGood(event) ? 'ok' : 'unprocessable'),
    });
    expectAll(waits, 12 * 60);
    const attempts = [...waits.attempts].filter(([event]) => !isGood(event)).map(([, n]) => n);
    expect(Math.max(...attempts)).toBeLessThanOrEqual(15);
    expect(attempts.reduce((sum, n) => sum + n, 0) / attempts.length).toBeLessThan(8);
  });
});
