import {
  CALM,
  type Chaos,
  drawFate,
  drawLatencyMs,
  drawMishap,
  drawSlowness,
  type Fate,
  type Random,
} from './chance.ts';
import type { Journal } from './journal.ts';

/** One invocation of a function. After its death, none of its calls goes on. */
export interface Process {
  readonly name: string;
  /** In milliseconds since 1970. */
  readonly beganAt: number;
  /** When the function times out and the process is killed, in milliseconds since 1970. */
  readonly endsAt: number;
  /** The factor by which all calls of this process take longer. */
  readonly slowness: number;
  isAlive: boolean;
  /** Names of its calls that went wrong, such as `deliveryLog.read`. */
  readonly wentWrong: Set<string>;
  /** Called once, when the process has died or has come to its end. */
  readonly ended: (how: 'returned' | 'threw' | 'died') => void;
}

interface Turn {
  readonly process: Process;
  readonly readyAt: number;
  readonly resume: () => void;
}

/** Something outside of processes that happens in time: a message is received, a schedule fires. */
export interface Source {
  /** When something next happens; `Infinity` for never. */
  nextAt(): number;
  happen(): void;
}

/** Resolves when all promises have gone on as far as they can without another step. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * A new promise each time: one shared promise would keep everything that waits for it in memory.
 */
const never = () => new Promise<never>(() => {});

class PortFault extends Error {
  override readonly name = 'PortFault';
}

/**
 * Runs processes in virtual time, one step at a time. At every call of a port, all other processes
 * may go on, before or after the call's effect; the call may fail, and its process may die. Every
 * chance is drawn from the seed, so that the same seed gives the same run.
 */
export class Machine {
  readonly random: Random;
  readonly journal: Journal;
  readonly sources: Source[] = [];
  nowMs: number;
  /** Since when nothing has gone wrong but endpoints, in milliseconds since 1970. */
  calmSinceMs: number;
  #chaos: Chaos = CALM;
  /** Name of a port's method, such as `schedules.ensure`: its next call goes wrong. */
  failingCall: string | undefined;
  /** How that call goes wrong; by chance, if undefined. */
  failingFate: Fate | undefined;
  #turns: Turn[] = [];
  #processes = 0;

  constructor(random: Random, journal: Journal, { startsAt }: { startsAt: Date }) {
    this.random = random;
    this.journal = journal;
    this.nowMs = startsAt.getTime();
    this.calmSinceMs = this.nowMs;
  }

  get chaos(): Chaos {
    return this.#chaos;
  }

  set chaos(chaos: Chaos) {
    this.#chaos = chaos;
    const isCalm = Object.values(chaos).every((probability) => probability === 0);
    this.calmSinceMs = isCalm ? this.nowMs : Number.POSITIVE_INFINITY;
  }

  readonly now = (): Date => new Date(this.nowMs);

  start(
    kind: string,
    run: (process: Process) => Promise<void>,
    { lifetimeMs, ended = () => {} }: { lifetimeMs: number; ended?: Process['ended'] },
  ): void {
    this.#processes += 1;
    const name = `${kind} ${this.#processes}`;
    const process: Process = {
      name,
      beganAt: this.nowMs,
      endsAt: this.nowMs + lifetimeMs,
      slowness: drawSlowness(this.random, this.chaos),
      isAlive: true,
      wentWrong: new Set(),
      ended,
    };
    this.journal.note(this.nowMs, `${name} starts`);
    run(process).then(
      () => this.#end(process, 'returned'),
      (fault: unknown) => {
        const faults: unknown[] = fault instanceof AggregateError ? fault.errors : [fault];
        for (const each of faults) {
          const isOurs = each instanceof TypeError || each instanceof RangeError;
          if (isOurs) this.journal.violated(String(each), each);
        }
        this.#end(process, 'threw');
      },
    );
  }

  /**
   * A process calls a port. Resolves to the result of `effect`; never settles if the process dies.
   *
   * @param tookMs how much longer than the drawn latency the call takes
   * @param repeats whether a client repeats the call when the answer is lost
   */
  async call<Result>(
    process: Process,
    name: string,
    {
      effect,
      tookMs = 0,
      repeats = true,
    }: { effect: () => Result | Promise<Result>; tookMs?: number; repeats?: boolean },
  ): Promise<Result> {
    const isEarly = this.random.happens(0.5);
    if (!isEarly) await this.#turn(process, tookMs);
    if (!process.isAlive) return never();
    const act = async () => this.#act(process, name, { effect, repeats });
    const [outcome] = await Promise.allSettled([act()]);
    if (isEarly) await this.#turn(process, tookMs);
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  /** Resolves later; never if the process dies before. */
  wait(process: Process, ms: number): Promise<void> {
    return this.#turn(process, ms);
  }

  /** Takes a step, or lets time pass to the next. Resolves to false if none is before `untilMs`. */
  async step(untilMs: number): Promise<boolean> {
    const ready = this.#turns.filter(({ readyAt }) => readyAt <= this.nowMs);
    const due = this.sources.filter((source) => source.nextAt() <= this.nowMs);
    const choice = this.random.below(ready.length + due.length);
    const turn = ready[choice];
    const source = due[choice - ready.length];
    if (turn) {
      this.#turns.splice(this.#turns.indexOf(turn), 1);
      turn.resume();
    } else if (source) source.happen();
    else return this.#passTime(untilMs);
    await settled();
    return true;
  }

  #passTime(untilMs: number): boolean {
    const nextAt = Math.min(
      ...this.#turns.map(({ readyAt }) => readyAt),
      ...this.sources.map((source) => source.nextAt()),
    );
    if (nextAt > untilMs) {
      if (untilMs !== Number.POSITIVE_INFINITY) this.nowMs = untilMs;
      return false;
    }
    this.nowMs = nextAt;
    for (const { process } of this.#turns) {
      if (process.isAlive && process.endsAt <= this.nowMs) this.#kill(process, 'timed out');
    }
    return true;
  }

  #turn(process: Process, tookMs: number): Promise<void> {
    if (!process.isAlive) return never();
    const latencyMs = drawLatencyMs(this.random, this.chaos) * process.slowness;
    const readyAt = this.nowMs + tookMs + latencyMs;
    return new Promise((resume) => {
      this.#turns.push({ process, readyAt, resume });
    });
  }

  async #act<Result>(
    process: Process,
    name: string,
    { effect, repeats }: { effect: () => Result | Promise<Result>; repeats: boolean },
  ): Promise<Result> {
    const drawn = this.#fateOf(name);
    const fate = drawn === 'repeated' && !repeats ? 'fine' : drawn;
    if (fate !== 'fine') this.#goesWrong(process, name, fate);
    this.journal.note(this.nowMs, `${process.name}: ${name}`, fate);
    if (fate === 'crash before') return this.#kill(process, 'crashed');
    if (fate === 'fault before') throw new PortFault(name);
    if (fate === 'repeated') await effect();
    const result = await effect();
    this.journal.note(this.nowMs, `${process.name}: ${name} =`, result);
    if (fate === 'crash after') return this.#kill(process, 'crashed');
    if (fate === 'fault after') throw new PortFault(name);
    return result;
  }

  #goesWrong(process: Process, name: string, fate: Fate): void {
    this.journal.saw(`${fate}: ${name}`);
    if (fate !== 'repeated') process.wentWrong.add(name);
    this.calmSinceMs = Math.max(this.calmSinceMs, this.nowMs);
  }

  #fateOf(name: string): Fate {
    if (name !== this.failingCall) return drawFate(this.random, this.chaos);
    this.failingCall = undefined;
    return this.failingFate ?? drawMishap(this.random);
  }

  #kill(process: Process, how: 'crashed' | 'timed out'): Promise<never> {
    this.journal.saw(`process ${how}`);
    this.calmSinceMs = Math.max(this.calmSinceMs, this.nowMs);
    this.journal.note(this.nowMs, `${process.name} ${how}`);
    this.#turns = this.#turns.filter((turn) => turn.process !== process);
    this.#end(process, 'died');
    return never();
  }

  #end(process: Process, how: Parameters<Process['ended']>[0]): void {
    if (!process.isAlive) return;
    process.isAlive = false;
    process.ended(how);
  }
}
