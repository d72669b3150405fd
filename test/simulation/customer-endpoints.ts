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

/** `varying`: each POST gets an answer drawn by chance. A function answers as it likes. */
export type Behaviour = Answer | 'varying' | keyof typeof SELECTIVE | ((event: number) => Answer);

const ALL = Object.keys(ANSWERS) as [Answer, ...Answer[]];
export const BEHAVIOURS = [...ALL, 'varying', 'refusing-some', 'delaying-some'] as const;

/** The number of the event in the id of a delivery. */
export const eventNumberIn = (deliveryId: string): number =>
  Number(/(\d+)$/.exec(deliveryId)?.[1] ?? 0);

const RESPONSE_TIMEOUT_MS = 15_000;

export class CustomerEndpoints {
  readonly #random: Random;
  #usual: Behaviour = 'ok';
  readonly #behaviours = new Map<string, Behaviour>();

  constructor(random: Random) {
    this.#random = random;
  }

  behave(url: string, behaviour: Behaviour): void {
    this.#behaviours.set(url, behaviour);
  }

  /** Sets the behaviour of all endpoints. */
  behaveAlike(behaviour: Behaviour): void {
    this.#usual = behaviour;
    this.#behaviours.clear();
  }

  /**
   * @param url the endpoint's URL
   * @param event the event's number
   */
  answer(url: string, event: number): PostResult {
    return ANSWERS[this.#answerTo(this.#behaviourOf(url), event)];
  }

  #answerTo(behaviour: Behaviour, event: number): Answer {
    if (typeof behaviour === 'function') return behaviour(event);
    if (behaviour === 'varying') return this.#random.oneOf(ALL);
    if (behaviour === 'refusing-some' || behaviour === 'delaying-some') {
      return event % 3 === 0 ? SELECTIVE[behaviour] : 'ok';
    }
    return behaviour;
  }

  /** How long the endpoint will take to answer a POST. */
  tookMs({ url, headers }: WebhookRequest): number {
    const behaviour = this.#behaviourOf(url);
    const answer =
      typeof behaviour === 'function'
        ? behaviour(eventNumberIn(headers['webhook-id'] ?? ''))
        : behaviour;
    return answer === 'response-timeout' ? RESPONSE_TIMEOUT_MS : 0;
  }

  #behaviourOf(url: string): Behaviour {
    return this.#behaviours.get(url) ?? this.#usual;
  }
}
