import type { Random } from './random.ts';

/** Probabilities of what goes wrong, each of one call, message or firing. */
export interface Chaos {
  /** The process dies, before or after the call's effect. */
  readonly crash: number;
  /** The call throws, before or after its effect. */
  readonly fault: number;
  /** The answer is lost and the client makes the call again. */
  readonly repeat: number;
  /** The call takes so long that others go on meanwhile. */
  readonly stall: number;
  /** All calls of a process do. */
  readonly slow: number;
  /** The queue hands a message out twice, or once more after it was deleted. */
  readonly duplicate: number;
  /** A schedule fires twice, or late. */
  readonly misfire: number;
}

export const CALM: Chaos = {
  crash: 0,
  fault: 0,
  repeat: 0,
  stall: 0,
  slow: 0,
  duplicate: 0,
  misfire: 0,
};

export type Fate =
  | 'fine'
  | 'crash before'
  | 'crash after'
  | 'fault before'
  | 'fault after'
  | 'repeated';

export const drawFate = (random: Random, { crash, fault, repeat }: Chaos): Fate => {
  const drawn = random.next();
  if (drawn >= crash + fault + repeat) return 'fine';
  if (drawn >= crash + fault) return 'repeated';
  return drawn < crash ? drawSide(random, 'crash') : drawSide(random, 'fault');
};

/** Of a call that is bound to go wrong. */
export const drawMishap = (random: Random): Fate => {
  const what = random.oneOf(['crash', 'fault', 'repeated']);
  return what === 'repeated' ? what : drawSide(random, what);
};

const drawSide = (random: Random, what: 'crash' | 'fault'): Fate =>
  `${what} ${random.happens(0.5) ? 'before' : 'after'}`;

const LATENCY_MS = 40;
/** How many times as long a call takes at most that stalls, and any call of a slow process. */
const STALL = 500;
const SLOW = 100;

export const drawLatencyMs = (random: Random, { stall }: Chaos): number =>
  Math.floor(random.next() * LATENCY_MS * drawFactor(random, stall, STALL));

/** By how much all calls of a process are slower. */
export const drawSlowness = (random: Random, { slow }: Chaos): number =>
  drawFactor(random, slow, SLOW);

/** As likely short as long: its logarithm is uniform. */
const drawFactor = (random: Random, probability: number, max: number): number =>
  random.happens(probability) ? max ** random.next() : 1;
