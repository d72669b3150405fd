/** Draws every chance of a run; the same seed draws the same. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** Uniform in [0, 1). Mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  happens(probability: number): boolean {
    return probability > 0 && this.next() < probability;
  }

  /** A whole number below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  oneOf<const Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.below(items.length)] ?? items[0];
  }
}

/** Probabilities of what can go wrong with one call, one process, one message or one firing. */
export interface Chaos {
  /** The process dies in a call, before or after the call's effect. */
  readonly crash: number;
  /** A call throws, before or after the call's effect. */
  readonly fault: number;
  /** The answer to a call is lost, and the client repeats the call. */
  readonly repeat: number;
  /** A call takes so long that other processes go on meanwhile. */
  readonly stall: number;
  /** All calls of a process take long. */
  readonly slow: number;
  /** A queue hands a message out twice, or once more after the message was deleted. */
  readonly duplicate: number;
  /** A schedule fires twice, or late. */
  readonly misfire: number;
  /** A run of a replay or of a recovery has no time for its next page. */
  readonly outOfTime: number;
}

export const CALM: Chaos = {
  crash: 0,
  fault: 0,
  repeat: 0,
  stall: 0,
  slow: 0,
  duplicate: 0,
  misfire: 0,
  outOfTime: 0,
};

/** Nothing goes wrong by chance, but the calls that a script names. */
export const SCRIPTED: Chaos = { ...CALM };

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

/** Draws how a call goes wrong, for a call that must go wrong. */
export const drawMishap = (random: Random): Fate => {
  const what = random.oneOf(['crash', 'fault', 'repeated']);
  return what === 'repeated' ? what : drawSide(random, what);
};

const drawSide = (random: Random, what: 'crash' | 'fault'): Fate =>
  `${what} ${random.happens(0.5) ? 'before' : 'after'}`;

const LATENCY_MS = 40;
/** The greatest factor by which a call takes longer that stalls. */
const STALL = 500;
/** The greatest factor by which all calls of a slow process take longer. */
const SLOW = 100;

export const drawLatencyMs = (random: Random, { stall }: Chaos): number =>
  Math.floor(random.next() * LATENCY_MS * drawFactor(random, stall, STALL));

/** The factor by which all calls of a process take longer. */
export const drawSlowness = (random: Random, { slow }: Chaos): number =>
  drawFactor(random, slow, SLOW);

/** Between 1 and `max`; the logarithm of the factor is uniform. */
const drawFactor = (random: Random, probability: number, max: number): number =>
  random.happens(probability) ? max ** random.next() : 1;
