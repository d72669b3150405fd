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
  conflict: answering(409),
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
export type Behaviour = Answer | 'varying' | keyof typeof SELECTIVE | ((event: number) => Answer);

const ALL = Object.keys(ANSWERS) as [Answer, ...Answer[]];
export const BEHAVIOURS = [...ALL, 'varying', 'refusing-some', 'delaying-some'] as const;

/** The number of the event in the id of a delivery. */
export const eventNumberIn = (deliveryId: string): number =>
  Number(/(\d+)$/.exec(deliveryId)?.[1] ?? 0);

const nameOf = (url: string, event: number): string => `${new URL(url).host} ${event}`;

const RESPONSE_TIMEOUT_MS = 15_000;

const CONFIRMS: readonly Behaviour[] = ['ok', 'no-content'];

export class CustomerEndpoints {
  readonly #random: Random;
  #usual: Behaviour = 'ok';
  readonly #behaviours = new Map<string, Behaviour>();
  readonly #fates = new Map<number, Fate>();
  #refusesDuplicates: boolean;
  /** By host and event: what was confirmed. */
  readonly #confirmed = new Set<string>();
  /** By host and event: what the service does not know to be confirmed. */
  readonly #spoilt = new Set<string>();

  constructor(random: Random, { refusesDuplicates }: { refusesDuplicates: boolean }) {
    this.#random = random;
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

  /** The answer that confirmed the event was lost: an endpoint that refuses duplicates has it. */
  spoil(url: string, event: number): void {
    this.#spoilt.add(nameOf(url, event));
  }

  /** Whether the endpoint confirms the event while it works. */
  isGood(url: string, event: number): boolean {
    return !this.#fates.has(event) && !this.#spoilt.has(nameOf(url, event));
  }

  /** How many events are not good at an endpoint, at most. */
  get bad(): number {
    return this.#fates.size + this.#spoilt.size;
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
    const result = ANSWERS[answer === 'varying' ? this.#random.oneOf(ALL) : answer];
    const isConfirmed = result.kind === 'answered' && result.statusCode < 300;
    if (!isConfirmed || !this.#refusesDuplicates) return result;
    const name = nameOf(url, event);
    if (this.#confirmed.has(name)) return ANSWERS.conflict;
    this.#confirmed.add(name);
    return result;
  }

  /** How long the endpoint will take to answer a POST. */
  tookMs({ url, headers }: WebhookRequest): number {
    const answer = this.#answerTo(url, eventNumberIn(headers['webhook-id'] ?? ''));
    return answer === 'response-timeout' ? RESPONSE_TIMEOUT_MS : 0;
  }

  #answerTo(url: string, event: number): Answer | 'varying' {
    const behaviour = this.#behaviourOf(url);
    const fate = this.#fates.get(event);
    if (fate !== undefined && CONFIRMS.includes(behaviour)) return FATES[fate];
    if (typeof behaviour === 'function') return behaviour(event);
    if (behaviour === 'refusing-some' || behaviour === 'delaying-some') {
      return event % 3 === 0 ? SELECTIVE[behaviour] : 'ok';
    }
    return behaviour;
  }

  #behaviourOf(url: string): Behaviour {
    return this.#behaviours.get(url) ?? this.#usual;
  }
}
