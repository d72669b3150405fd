import type { PostResult } from '../../core/delivery/attempt.ts';
import type { Random } from './random.ts';

const answering = (statusCode: number, retryAfter?: string): PostResult => ({
  kind: 'answered',
  statusCode,
  responseStart: '',
  retryAfter,
});

/** What a customer's endpoint does with a POST. */
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

/** `moody`: another answer each time. */
export type Behaviour = Answer | 'moody';

const ALL = Object.keys(ANSWERS) as [Answer, ...Answer[]];
export const BEHAVIOURS: readonly Behaviour[] = [...ALL, 'moody'];

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

  /** All of them. */
  behaveAlike(behaviour: Behaviour): void {
    this.#usual = behaviour;
    this.#behaviours.clear();
  }

  answer(url: string): PostResult {
    const behaviour = this.#behaviourOf(url);
    return ANSWERS[behaviour === 'moody' ? this.#random.oneOf(ALL) : behaviour];
  }

  tookMs(url: string): number {
    return this.#behaviourOf(url) === 'response-timeout' ? RESPONSE_TIMEOUT_MS : 0;
  }

  #behaviourOf(url: string): Behaviour {
    return this.#behaviours.get(url) ?? this.#usual;
  }
}
