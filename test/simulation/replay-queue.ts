import type {
  ReplayOptions,
  ReplayRequest,
  ReplayRequests,
} from '../../core/delivery/pending/replay-requests.ts';
import type { Machine, Source } from './machine.ts';

export interface ReplayMessage extends ReplayRequest {
  visibleAtMs: number;
}

/**
 * The replay queue, a FIFO queue, and the function that it invokes. The requests of an integration
 * are handed out in order, one at a time: the next only after the deletion of the one before.
 */
export class ReplayQueue implements Source, ReplayRequests {
  readonly #machine: Machine;
  readonly #options: {
    readonly visibilityMs: number;
    readonly invoke: (message: ReplayMessage) => void;
  };
  #messages: ReplayMessage[] = [];

  constructor(
    machine: Machine,
    options: { visibilityMs: number; invoke: (message: ReplayMessage) => void },
  ) {
    this.#machine = machine;
    this.#options = options;
  }

  get size(): number {
    return this.#messages.length;
  }

  async request(
    { account, id }: { account: string; id: string },
    options: ReplayOptions = {},
  ): Promise<void> {
    this.#messages.push({ ...options, account, id, visibleAtMs: this.#machine.nowMs });
  }

  nextAt(): number {
    return Math.min(...this.#heads().map(({ visibleAtMs }) => visibleAtMs));
  }

  happen(): void {
    const { nowMs, random } = this.#machine;
    const visible = this.#heads().filter(({ visibleAtMs }) => visibleAtMs <= nowMs);
    const message = visible[random.below(visible.length)];
    if (message === undefined) return;
    message.visibleAtMs = nowMs + this.#options.visibilityMs;
    this.#options.invoke(message);
  }

  delete(message: ReplayMessage): void {
    this.#messages = this.#messages.filter((other) => other !== message);
  }

  /** The first of each group. */
  #heads(): ReplayMessage[] {
    const heads = new Map<string, ReplayMessage>();
    for (const message of this.#messages) {
      if (!heads.has(message.id)) heads.set(message.id, message);
    }
    return [...heads.values()];
  }
}
