import {
  CALM,
  type Chaos,
  drawFate,
  drawLatencyMs,
  drawMishap,
  drawSlowness,
  type Fate,
} from './chaos.ts';
import type { Journal } from './journal.ts';
import type { Random } from './random.ts';

/** One invocation of a function. When it dies, nothing of it goes on. */
export interface Process {
  readonly name: string;
  /** Its function's timeout: it is killed then. */
  readonly endsAt: number;
  /** By how much its calls take longer than those of others. */
  readonly slowness: number;
  isAlive: boolean;
  /** Called once when it has died or come to its end. */
  readonly ended: (how: 'returned' | 'threw' | 'died') => void;
}

interface Turn {
  readonly process: Process;
  readonly readyAt: number;
  readonly resume: () => void;
}

/** Something outside that happens at its time: a message can be received, a schedule fires. */
export interface Source {
  /** When it next has something; `Infinity` when it has nothing. */
  nextAt(): number;
  happen(): void;
}

/** When all that can go on without another step has gone on. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Anew each time: a promise that never settles keeps all that waits for it. */
const never = () => new Promise<never>(() => {});

class PortFault extends Error {
  override readonly name = 'PortFault';
}

/**
 * Runs processes in virtual time, one step at a time. Every call of a port is a point at which all
 * other processes may go on, with its effect on one side of it or the other, and at which it may
 * fail or its process die. Everything is drawn from the seed: the same run happens again.
 */
export class Machine {
  readonly random: Random;
  readonly journal: Journal;
  readonly sources: Source[] = [];
  chaos: Chaos = CALM;
  nowMs: number;
  /** The next call of that name goes wrong. */
  doomed: string | undefined;
  #turns: Turn[] = [];
  #processes = 0;

  constructor(random: Random, journal: Journal, { startsAt }: { startsAt: Date }) {
    this.random = random;
    this.journal = journal;
    this.nowMs = startsAt.getTime();
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
      endsAt: this.nowMs + lifetimeMs,
      slowness: drawSlowness(this.random, this.chaos),
      isAlive: true,
      ended,
    };
    this.journal.note(this.nowMs, `${name} starts`);
    run(process).then(
      () => this.#end(process, 'returned'),
      (fault: unknown) => {
        const isOurs = fault instanceof TypeError || fault instanceof RangeError;
        if (isOurs) this.journal.violated(String(fault), fault);
        this.#end(process, 'threw');
      },
    );
  }

  /** A call of a port by a process. `repeats` tells whether a client would make it again. */
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

  /** Whether anything is going on, or will by itself before `untilMs`. */
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
    if (fate !== 'fine') this.journal.saw(`${fate}: ${name}`);
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

  #fateOf(name: string): Fate {
    if (name !== this.doomed) return drawFate(this.random, this.chaos);
    this.doomed = undefined;
    return drawMishap(this.random);
  }

  #kill(process: Process, how: 'crashed' | 'timed out'): Promise<never> {
    this.journal.saw(`process ${how}`);
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
