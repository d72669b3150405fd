import type { PostResult } from '../../core/delivery/attempt.ts';
import type { WebhookRequest } from '../../core/delivery/sending/make-attempt.ts';
import type { Random } from './chance.ts';

const answering = (statusCode: number, retryAfter?: string): PostResult => ({
  kind: 'answered',
  statusCode,
  responseStart: '',
  retryAfter,
});

/** The results that a POST to a customer's endpoint can have. */
const ANSWERS = {
  ok: answering(200),
  'no-content': answering(204),
  'gateway-timeout': answering(504),
  'retry-after': answering(504, '600'),
  error: answering(500),
  'bad-request': answering(400),
  'too-many-requests': answering(429),
  unprocessable: answering(422),
  'bad-gateway': answering(502),
  unavailable: answering(503),
  unauthorized: answering(401),
  forbidden: answering(403),
  'not-found': answering(404),
  conflict: answering(409),
  'precondition-failed': answering(412),
  locked: answering(423),
  gone: answering(410),
  redirect: answering(302),
  'response-timeout': { kind: 'unanswered', reason: 'response-timeout' },
  'connection-refused': { kind: 'unanswered', reason: 'connection-refused' },
  'address-refused': { kind: 'unanswered', reason: 'address-refused' },
} as const satisfies Record<string, PostResult>;

type Answer = keyof typeof ANSWERS;

/** Answers by the event: every third event gets this one, and the others are confirmed. */
const SELECTIVE = {
  'refusing-some': 'error',
  'delaying-some': 'gateway-timeout',
} as const satisfies Record<string, Answer>;

/**
 * Confirm most of what they get. `slow`: after a second. `limited`: ten a second, twenty at once.
 * `flaky`: all but one of ten POSTs, drawn by chance, and each event at last. `down-hourly`: but for ten minutes of each hour.
 * `one-at-a-time`: no request while it works on another. `sleeping`: not after a quarter of an hour
 * without a request, until it is awake. `ordered`: no event that is older than one that it confirmed.
 */
export const MOSTLY = [
  ...(['slow', 'limited', 'flaky', 'down-hourly'] as const),
  ...(['one-at-a-time', 'sleeping', 'ordered'] as const),
] as const;

/**
 * What an endpoint that works does with some events, in every attempt: it takes too long, refuses
 * them, or answers 504.
 */
const FATES = {
  hanging: 'response-timeout',
  refused: 'bad-request',
  delayed: 'gateway-timeout',
} as const satisfies Record<string, Answer>;

export type Fate = keyof typeof FATES;
export const ALL_FATES = Object.keys(FATES) as [Fate, ...Fate[]];

/** `varying`: each POST gets an answer drawn by chance. A function answers as it likes. */
export type Behaviour =
  | Answer
  | 'varying'
  | keyof typeof SELECTIVE
  | (typeof MOSTLY)[number]
  | ((event: number) => Answer);

const ALL = Object.keys(ANSWERS) as [Answer, ...Answer[]];
export const BEHAVIOURS = [
  ...ALL,
  ...MOSTLY,
  ...(['varying', 'refusing-some', 'delaying-some'] as const),
] as const;

/** The number of the event in the id of a delivery. */
export const eventNumberIn = (deliveryId: string): number =>
  Number(/(\d+)$/.exec(deliveryId)?.[1] ?? 0);

const nameOf = (url: string, event: number): string => `${new URL(url).host} ${event}`;

export const RESPONSE_TIMEOUT_MS = 15_000;

const SLOW_MS = 1_000;
const WORKS_MS = 300;
const SLEEPS_AFTER_MS = 15 * 60_000;
const AWAKE_AFTER_MS = 20_000;
const MINUTE_MS = 60_000;
const LIMIT = 10;
/** All attempts of the first hours may fail by chance, so that a rule on time could not hold. */
const MOST_BY_CHANCE = 2;

const CONFIRMS: readonly Behaviour[] = ['ok', 'no-content', 'slow'];

interface Options {
  readonly refusesDuplicates: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Whether the service knows that a delivery was confirmed. */
  readonly isKnown: (deliveryId: string) => boolean;
}

export class CustomerEndpoints {
  readonly #random: Random;
  readonly #now: () => number;
  /** By host: what a limit has left, and when. */
  readonly #allowed = new Map<string, { count: number; atMs: number }>();
  /** By host: until when it works on a request, and when it got the latest and is awake. */
  readonly #worksUntilMs = new Map<string, number>();
  readonly #sleep = new Map<string, { latestMs: number; awakeAtMs: number }>();
  /** By host: the newest event that was confirmed in order. */
  readonly #newest = new Map<string, number>();
  /** By host and event: what was overtaken by a newer event. */
  readonly #overtaken = new Set<string>();
  /** By host and event: the answer to the POST that is under way. */
  readonly #decided = new Map<string, Answer>();
  /** By host and event: how often a POST failed by chance. */
  readonly #failed = new Map<string, number>();
  #usual: Behaviour = 'ok';
  readonly #behaviours = new Map<string, Behaviour>();
  readonly #fates = new Map<number, Fate>();
  #refusesDuplicates: boolean;
  /** By host and event: what was confirmed. */
  readonly #confirmed = new Set<string>();
  /** By host and event: the delivery, whose first answer, a confirmation, did not arrive in time. */
  readonly #spoilt = new Map<string, string>();
  readonly #isKnown: Options['isKnown'];

  constructor(random: Random, { refusesDuplicates, now, isKnown }: Options) {
    this.#random = random;
    this.#now = now;
    this.#isKnown = isKnown;
    this.#refusesDuplicates = refusesDuplicates;
  }

  behave(url: string, behaviour: Behaviour): void {
    this.#behaviours.set(url, behaviour);
  }

  /** Sets the behaviour of all endpoints. */
  behaveAlike(behaviour: Behaviour): void {
    this.#usual = behaviour;
    this.#behaviours.clear();
  }

  /** From now on the endpoints confirm every event, also one that they have. */
  confirmAll(): void {
    this.behaveAlike('ok');
    this.#fates.clear();
    this.#spoilt.clear();
    this.#refusesDuplicates = false;
  }

  decree(event: number, fate: Fate): void {
    this.#fates.set(event, fate);
  }

  /**
   * An endpoint that refuses duplicates has the delivery, and the service does not know it. Until it
   * does, the event is not good.
   */
  spoil(url: string, deliveryId: string): void {
    this.#spoilt.set(nameOf(url, eventNumberIn(deliveryId)), deliveryId);
  }

  /** Whether the endpoint confirms the event while it works. */
  isGood(url: string, event: number): boolean {
    const spoilt = this.#spoilt.get(nameOf(url, event));
    if (this.#behaviourOf(url) === 'ordered' && this.#isOvertaken(url, event)) return false;
    return !this.#fates.has(event) && (spoilt === undefined || this.#isKnown(spoilt));
  }

  /** How many events are not good at an endpoint, at most. */
  get bad(): number {
    const spoilt = [...this.#spoilt.values()].filter((id) => !this.#isKnown(id));
    return this.#fates.size + spoilt.length + this.#overtaken.size;
  }

  /**
   * Whether the endpoint confirms every good event sooner or later, as far as it gets it again. Not
   * surely beside events that it never confirms, if it takes one request at a time or sleeps: they may
   * occupy it in each attempt of a good event, or be all that is attempted while it is awake.
   */
  worksMostly(url: string): boolean {
    const behaviour = this.#behaviourOf(url);
    const isBusyWithOthers = behaviour === 'one-at-a-time' || behaviour === 'sleeping';
    return !(isBusyWithOthers && this.#fates.size > 0) && this.#hasFates(url);
  }

  /** Whether the answer to some events is their fate. */
  #hasFates(url: string): boolean {
    const behaviour = this.#behaviourOf(url);
    return CONFIRMS.includes(behaviour) || MOSTLY.some((mostly) => mostly === behaviour);
  }

  /** Whether the endpoint confirms every good event. */
  works(url: string): boolean {
    return CONFIRMS.includes(this.#behaviourOf(url));
  }

  /**
   * @param url the endpoint's URL
   * @param event the event's number
   */
  answer(url: string, event: number): PostResult {
    const answer = this.#answerTo(url, event);
    const result = ANSWERS[answer === 'limited' ? this.#limited(url) : answer];
    const isConfirmed = result.kind === 'answered' && result.statusCode < 300;
    if (isConfirmed && this.#behaviourOf(url) === 'ordered') {
      this.#newest.set(url, Math.max(event, this.#newest.get(url) ?? 0));
    }
    if (!isConfirmed || !this.#refusesDuplicates) return result;
    const name = nameOf(url, event);
    if (this.#confirmed.has(name)) return ANSWERS.conflict;
    this.#confirmed.add(name);
    return result;
  }

  /** How long the endpoint will take to answer a POST. */
  tookMs({ url, headers }: WebhookRequest): number {
    const event = eventNumberIn(headers['webhook-id'] ?? '');
    const decided = this.#decide(url);
    if (decided) this.#decided.set(nameOf(url, event), decided);
    const answer = this.#answerTo(url, event);
    if (decided === 'ok' && this.#behaviourOf(url) === 'one-at-a-time') return WORKS_MS;
    if (this.#behaviourOf(url) === 'slow' && answer === 'ok') return SLOW_MS;
    return answer === 'response-timeout' ? RESPONSE_TIMEOUT_MS : 0;
  }

  #answerTo(url: string, event: number): Answer | 'limited' {
    const behaviour = this.#behaviourOf(url);
    const isAsleep = this.#decided.get(nameOf(url, event)) === 'unavailable';
    if (behaviour === 'sleeping' && isAsleep) return 'unavailable';
    const fate = this.#fates.get(event);
    if (fate !== undefined && this.#hasFates(url)) return FATES[fate];
    if (typeof behaviour === 'function') return behaviour(event);
    switch (behaviour) {
      case 'varying':
        return this.#random.oneOf(ALL);
      case 'refusing-some':
      case 'delaying-some':
        return event % 3 === 0 ? SELECTIVE[behaviour] : 'ok';
      case 'flaky':
        return this.#failsByChance(nameOf(url, event)) ? 'bad-gateway' : 'ok';
      case 'down-hourly':
        return (this.#now() / MINUTE_MS) % 60 < 10 ? 'unavailable' : 'ok';
      case 'one-at-a-time':
      case 'sleeping':
        return this.#decided.get(nameOf(url, event)) ?? 'ok';
      case 'ordered':
        return this.#refusesOvertaken(url, event) ? 'precondition-failed' : 'ok';
      case 'slow':
        return 'ok';
      default:
        return behaviour;
    }
  }

  /** When a POST begins. */
  #decide(url: string): Answer | undefined {
    const nowMs = this.#now();
    if (this.#behaviourOf(url) === 'one-at-a-time') {
      if (nowMs < (this.#worksUntilMs.get(url) ?? 0)) return 'locked';
      this.#worksUntilMs.set(url, nowMs + WORKS_MS);
      return 'ok';
    }
    if (this.#behaviourOf(url) !== 'sleeping') return undefined;
    const before = this.#sleep.get(url) ?? { latestMs: 0, awakeAtMs: 0 };
    const isAsleep = nowMs - before.latestMs >= SLEEPS_AFTER_MS;
    const awakeAtMs = isAsleep ? nowMs + AWAKE_AFTER_MS : before.awakeAtMs;
    this.#sleep.set(url, { latestMs: nowMs, awakeAtMs });
    return nowMs < awakeAtMs ? 'unavailable' : 'ok';
  }

  #isOvertaken(url: string, event: number): boolean {
    return event < (this.#newest.get(url) ?? 0);
  }

  #refusesOvertaken(url: string, event: number): boolean {
    const isOvertaken = this.#isOvertaken(url, event);
    if (isOvertaken) this.#overtaken.add(nameOf(url, event));
    return isOvertaken;
  }

  #failsByChance(name: string): boolean {
    const before = this.#failed.get(name) ?? 0;
    const fails = before < MOST_BY_CHANCE && this.#random.happens(0.1);
    if (fails) this.#failed.set(name, before + 1);
    return fails;
  }

  #limited(url: string): Answer {
    const atMs = this.#now();
    const before = this.#allowed.get(url) ?? { count: 2 * LIMIT, atMs };
    const sinceS = (atMs - before.atMs) / 1_000;
    const count = Math.min(2 * LIMIT, before.count + sinceS * LIMIT);
    this.#allowed.set(url, { count: Math.max(0, count - 1), atMs });
    return count < 1 ? 'too-many-requests' : 'ok';
  }

  #behaviourOf(url: string): Behaviour {
    return this.#behaviours.get(url) ?? this.#usual;
  }
}
