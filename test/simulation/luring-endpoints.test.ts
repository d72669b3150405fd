import { describe, expect, it } from 'vitest';
import type { OnFatalError } from '../../core/integration/settings.ts';
import { countOf } from '../support/count-of.ts';
import { Random } from './chance.ts';
import { type SteadyEvents, sendSteadily } from './steady-events.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

type Answer = ReturnType<SteadyEvents['answer']>;
type Answering = SteadyEvents['answer'];

/** Confirms every so many requests, and refuses the others. */
const everyNth = (n: number, refusal: Answer) => (): Answering => {
  let requests = 0;
  return () => {
    requests += 1;
    return requests % n === 0 ? 'ok' : refusal;
  };
};

/** Confirms an event in its attempt of this number. */
const inAttempt = (number: number, refusal: Answer) => (): Answering => {
  const attempts = new Map<number, number>();
  return (event) => {
    attempts.set(event, (attempts.get(event) ?? 0) + 1);
    return attempts.get(event) === number ? 'ok' : refusal;
  };
};

/** Confirms the first request after a time without one, so that each recovery is disappointed. */
const afterRest = (restMs: number, refusal: Answer) => (): Answering => {
  let latestMs = Number.NEGATIVE_INFINITY;
  return (_event, atMs) => {
    const isRested = atMs - latestMs >= restMs;
    latestMs = atMs;
    return isRested ? 'ok' : refusal;
  };
};

/** Confirms one request of each period. */
const onceIn = (periodMs: number, refusal: Answer) => (): Answering => {
  let latest = -1;
  return (_event, atMs) => {
    const period = Math.floor(atMs / periodMs);
    if (period === latest) return refusal;
    latest = period;
    return 'ok';
  };
};

/** Confirms by the age of the event. */
const byAge = (isConfirmed: (ageMs: number) => boolean, refusal: Answer) => (): Answering => {
  const firstMs = new Map<number, number>();
  return (event, atMs) => {
    firstMs.set(event, firstMs.get(event) ?? atMs);
    return isConfirmed(atMs - (firstMs.get(event) ?? atMs)) ? 'ok' : refusal;
  };
};

/** Confirms what is newer than all before, or only what is not. */
const byOrder = (isNewest: boolean, refusal: Answer) => (): Answering => {
  let newest = 0;
  return (event) => {
    const isNewer = event > newest;
    newest = Math.max(newest, event);
    return isNewer === isNewest ? 'ok' : refusal;
  };
};

const byEvent =
  (n: number, ...refusals: readonly [Answer, ...Answer[]]) =>
  (): Answering => {
    let requests = 0;
    return (event) => {
      if (event % n !== 0) return 'ok';
      requests += 1;
      return refusals[requests % refusals.length] ?? refusals[0];
    };
  };

const byChance = (share: number, refusal: Answer) => (): Answering => {
  const random = new Random(5);
  return () => (random.happens(share) ? 'ok' : refusal);
};

const byTime =
  (isConfirmed: (atMs: number) => boolean, refusal: Answer) => (): Answering => (_event, atMs) =>
    isConfirmed(atMs) ? 'ok' : refusal;

type Lure = readonly [what: string, lure: () => Answering];

/** Those that are sent the most come first. */
const REFUSING: readonly Lure[] = [
  ['every nineteenth request', everyNth(19, 'unprocessable')],
  ['but for each third event, by 504 and 500', byEvent(3, 'gateway-timeout', 'error')],
  ['one request in six hours', onceIn(6 * HOUR_MS, 'unavailable')],
  ['every second request', everyNth(2, 'error')],
  ['every third request', everyNth(3, 'unauthorized')],
  ['every tenth request', everyNth(10, 'error')],
  ['an event in its second attempt', inAttempt(2, 'error')],
  ['an event in its fourth attempt', inAttempt(4, 'conflict')],
  ['an event in its ninth attempt', inAttempt(9, 'error')],
  ['the first request after ten minutes', afterRest(10 * MINUTE_MS, 'error')],
  ['the first request after 40 minutes', afterRest(40 * MINUTE_MS, 'forbidden')],
  ['one request an hour', onceIn(HOUR_MS, 'error')],
  ['one request in five minutes', onceIn(5 * MINUTE_MS, 'too-many-requests')],
  ['a new event alone', byAge((ageMs) => ageMs === 0, 'gone')],
  ['what is an hour old', byAge((ageMs) => ageMs >= HOUR_MS, 'not-found')],
  ['what is eleven hours old', byAge((ageMs) => ageMs >= 11 * HOUR_MS, 'error')],
  ['what is newer than all before', byOrder(true, 'precondition-failed')],
  ['what is older than another', byOrder(false, 'locked')],
  ['but for each third event, by silence and 422', byEvent(3, 'response-timeout', 'unprocessable')],
  ['half of all requests', byChance(0.5, 'bad-gateway')],
  ['one of twenty requests', byChance(0.05, 'error')],
  ['every second hour', byTime((atMs) => Math.floor(atMs / HOUR_MS) % 2 === 0, 'unavailable')],
];

const UNANSWERING: readonly Lure[] = [
  ['the first request after ten minutes', afterRest(10 * MINUTE_MS, 'gateway-timeout')],
  ['one request an hour', onceIn(HOUR_MS, 'gateway-timeout')],
  ['one request in six hours', onceIn(6 * HOUR_MS, 'response-timeout')],
  ['every second request', everyNth(2, 'gateway-timeout')],
  ['every tenth request', everyNth(10, 'gateway-timeout')],
  ['an event in its ninth attempt', inAttempt(9, 'gateway-timeout')],
];

const HOURS = 72;

const mostAttempts = async (lure: () => Answering, onFatalError: OnFatalError) => {
  const waits = await sendSteadily({
    ...{ burst: 60, burstEveryMs: 1_000, everyMs: 30 * MINUTE_MS, hours: HOURS, onFatalError },
    ...{ answer: lure(), isGood: () => true },
  });
  expect(waits.violation).toBeUndefined();
  return waits.mostAttempts;
};

const POLICIES: readonly OnFatalError[] = ['pause', 'continue'];

const casesOf = (lures: readonly Lure[], usually: number) =>
  POLICIES.slice(0, countOf({ usually: 1, long: 2 })).flatMap((policy) =>
    lures
      .slice(0, countOf({ usually, long: lures.length }))
      .map((lure) => [policy, ...lure] as const),
  );

describe(`an endpoint that confirms some attempts, to be sent more in ${HOURS} hours`, () => {
  it.each(casesOf(REFUSING, 3))(
    'gets an event 35 times at most (%s): it confirms %s',
    async (onFatalError, _what, lure) => {
      expect(await mostAttempts(lure, onFatalError)).toBeLessThanOrEqual(35);
    },
  );

  // An event that is overdue by more than two hours begins its window anew.
  it.each(casesOf(UNANSWERING, 1))(
    'gets an event 45 times at most (%s): it confirms %s, else nothing in time',
    async (onFatalError, _what, lure) => {
      expect(await mostAttempts(lure, onFatalError)).toBeLessThanOrEqual(45);
    },
  );
});
