import type {
  ReplayOptions,
  ReplayRequest,
  ReplayRequests,
} from '../../core/delivery/pending/replay-requests.ts';
import type { Machine, Source } from './machine.ts';

interface Message<Content> {
  readonly id: string;
  readonly content: Content;
  receiveCount: number;
  firstReceivedAtMs: number;
  visibleAtMs: number;
  /** When the message was to be visible again; 0 unless its visibility was changed. */
  dueMs: number;
}

/** A message as a receive hands it out. */
export interface Received<Content> {
  readonly content: Content;
  readonly receiveCount: number;
  readonly firstReceivedAt: Date;
  readonly message: Message<Content>;
}

interface StandardQueueOptions<Content> {
  readonly name: string;
  readonly visibilityMs: number;
  /** The most messages of a batch. */
  readonly batchSize: number;
  readonly invoke: (batch: readonly Received<Content>[]) => void;
}

/**
 * A standard queue of SQS and the function that it invokes. Messages are handed out in any order,
 * at least once. A received message is not handed out for the visibility timeout; but by chance, a
 * message is handed out twice, or once more after it was deleted.
 */
export class StandardQueue<Content> implements Source {
  readonly #machine: Machine;
  readonly #options: StandardQueueOptions<Content>;
  readonly #messages = new Set<Message<Content>>();
  /**
   * Contents of the messages that were handed out although a worker had them, or had deleted them.
   */
  readonly handedOutTwice = new Set<Content>();
  #sent = 0;

  constructor(machine: Machine, options: StandardQueueOptions<Content>) {
    this.#machine = machine;
    this.#options = options;
  }

  get size(): number {
    return this.#messages.size;
  }

  get sent(): number {
    return this.#sent;
  }

  /** Contents of all messages, handed out or not. */
  get contents(): Content[] {
    return [...this.#messages].map(({ content }) => content);
  }

  send(content: Content): void {
    this.#sent += 1;
    const visibleAtMs = this.#machine.nowMs;
    const id = `${this.#options.name} ${this.#sent}`;
    this.#messages.add({
      id,
      content,
      receiveCount: 0,
      firstReceivedAtMs: 0,
      visibleAtMs,
      dueMs: 0,
    });
  }

  nextAt(): number {
    let nextAt = Number.POSITIVE_INFINITY;
    for (const { visibleAtMs } of this.#messages) nextAt = Math.min(nextAt, visibleAtMs);
    return nextAt;
  }

  happen(): void {
    const { nowMs, random } = this.#machine;
    const visible = [...this.#messages].filter(({ visibleAtMs }) => visibleAtMs <= nowMs);
    const batchSize = 1 + random.below(this.#options.batchSize);
    while (visible.length > batchSize) visible.splice(random.below(visible.length), 1);
    this.#options.invoke(visible.map((message) => this.#receive(message)));
  }

  /** Deletes a message; by chance, a copy of it is left and handed out later. */
  delete({ message }: Pick<Received<Content>, 'message'>): void {
    const { random, chaos, journal, nowMs } = this.#machine;
    if (this.#messages.has(message) && random.happens(chaos.duplicate)) {
      journal.saw('message handed out after its deletion');
      this.handedOutTwice.add(message.content);
      message.visibleAtMs = nowMs + random.below(this.#options.visibilityMs);
    } else this.#messages.delete(message);
  }

  /** @param dueMs when the message was to be visible again, if the call had taken no time */
  changeVisibility(
    { message }: Pick<Received<Content>, 'message'>,
    { delayMs, dueMs }: { delayMs: number; dueMs: number },
  ): void {
    message.visibleAtMs = this.#machine.nowMs + delayMs;
    message.dueMs = dueMs;
  }

  /** The messages whose visibility was changed since they were received last. */
  get putOff(): readonly Pick<Message<Content>, 'content' | 'dueMs'>[] {
    return [...this.#messages].filter(({ dueMs }) => dueMs > 0);
  }

  #receive(message: Message<Content>): Received<Content> {
    const { nowMs, random, chaos, journal } = this.#machine;
    message.receiveCount += 1;
    message.dueMs = 0;
    if (message.receiveCount === 1) message.firstReceivedAtMs = nowMs;
    const isHandedOutTwice = random.happens(chaos.duplicate);
    if (isHandedOutTwice) {
      journal.saw('message handed out twice');
      this.handedOutTwice.add(message.content);
    } else message.visibleAtMs = nowMs + this.#options.visibilityMs;
    return {
      content: message.content,
      receiveCount: message.receiveCount,
      firstReceivedAt: new Date(message.firstReceivedAtMs),
      message,
    };
  }
}

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
    const visibleAtMs = options.notBefore?.getTime() ?? this.#machine.nowMs;
    this.#messages.push({ ...options, account, id, visibleAtMs });
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
