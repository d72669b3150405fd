import type { PostResult } from '../../../core/delivery/attempt.ts';
import { limits } from '../../../lib/limits.ts';
import type { Random } from '../random.ts';

interface Answer {
  readonly result: PostResult;
  readonly tookMs: number;
}

/** What an endpoint does with an attempt of an event, so long after the start of the run. */
export type Behaviour = (attempt: { event: number; atMs: number; random: Random }) => Answer;

const answering = (statusCode: number): PostResult => ({
  kind: 'answered',
  statusCode,
  responseStart: '',
});

const OK = answering(200);
const REFUSED = answering(500);
const GATEWAY_TIMEOUT = answering(504);
const TIMED_OUT: PostResult = { kind: 'unanswered', reason: 'response-timeout' };

const FASTEST_MS = 50;
const SPREAD_MS = 100;
const SLOW_MS = 2_000;

const usualMs = (random: Random): number => FASTEST_MS + random.below(SPREAD_MS);

/** The same for every attempt of an event: an endpoint that dislikes an event always does. */
const isAmong = (event: number, share: number): boolean =>
  (Math.imul(event, 0x9e3779b1) >>> 0) / 2 ** 32 < share;

/** 100 ms on average, as the page about capacity takes it. */
export const healthy: Behaviour = ({ random }) => ({ result: OK, tookMs: usualMs(random) });

export const dead: Behaviour = () => ({
  result: TIMED_OUT,
  tookMs: limits.attempt.responseTimeoutMs,
});

export const slow: Behaviour = () => ({ result: OK, tookMs: SLOW_MS });

const partly =
  (share: number, result: PostResult): Behaviour =>
  (attempt) =>
    isAmong(attempt.event, share) ? { result, tookMs: usualMs(attempt.random) } : healthy(attempt);

export const oftenGatewayTimeout = partly(0.1, GATEWAY_TIMEOUT);

export const oftenRefusing = partly(0.3, REFUSED);

export const deadAfter =
  (minutes: number): Behaviour =>
  (attempt) =>
    attempt.atMs < minutes * 60_000 ? healthy(attempt) : dead(attempt);
