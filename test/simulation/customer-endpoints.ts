import type { PostResult } from '../../core/delivery/attempt.ts';
import type { Random } from './random.ts';

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

/** `varying`: each POST gets an answer drawn by chance. */
export type Behaviour = Answer | 'varying';

const ALL = Object.keys(ANSWERS) as [Answer, ...Answer[]];
export const BEHAVIOURS: readonly Behaviour[] = [...ALL, 'varying'];

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

  /** @param url the endpoint's URL */
  answer(url: string): PostResult {
    const behaviour = this.#behaviourOf(url);
    return ANSWERS[behaviour === 'varying' ? this.#random.oneOf(ALL) : behaviour];
  }

  tookMs(url: string): number {
    return this.#behaviourOf(url) === 'response-timeout' ? RESPONSE_TIMEOUT_MS : 0;
  }

  #behaviourOf(url: string): Behaviour {
    return this.#behaviours.get(url) ?? this.#usual;
  }
}
