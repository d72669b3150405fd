import type { Machine, Source } from './machine.ts';

interface Message<Content> {
  readonly content: Content;
  receiveCount: number;
  firstReceivedAtMs: number;
  visibleAtMs: number;
}

/** A message as one receive got it. */
export interface Received<Content> {
  readonly content: Content;
  readonly receiveCount: number;
  readonly firstReceivedAt: Date;
  readonly message: Message<Content>;
}

interface Options<Content> {
  readonly visibilityMs: number;
  /** At most so many at once. */
  readonly batchSize: number;
  readonly invoke: (batch: readonly Received<Content>[]) => void;
}

/**
 * A standard queue of SQS with the function it invokes: any order, at least once. A message is out
 * of sight for its visibility once it is received; it can be handed out twice at once, and once
 * more after it was deleted.
 */
export class StandardQueue<Content> implements Source {
  readonly #machine: Machine;
  readonly #options: Options<Content>;
  readonly #messages = new Set<Message<Content>>();
  /** What was handed out while it was being worked on. */
  readonly handedOutTwice = new Set<Content>();
  #sent = 0;

  constructor(machine: Machine, options: Options<Content>) {
    this.#machine = machine;
    this.#options = options;
  }

  get size(): number {
    return this.#messages.size;
  }

  get sent(): number {
    return this.#sent;
  }

  /** What is in it, handed out or not. */
  get contents(): Content[] {
    return [...this.#messages].map(({ content }) => content);
  }

  send(content: Content): void {
    this.#sent += 1;
    const visibleAtMs = this.#machine.nowMs;
    this.#messages.add({ content, receiveCount: 0, firstReceivedAtMs: 0, visibleAtMs });
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

  /** A deletion may not reach every copy. */
  delete({ message }: Pick<Received<Content>, 'message'>): void {
    const { random, chaos, journal, nowMs } = this.#machine;
    if (this.#messages.has(message) && random.happens(chaos.duplicate)) {
      journal.saw('message handed out after its deletion');
      this.handedOutTwice.add(message.content);
      message.visibleAtMs = nowMs + random.below(this.#options.visibilityMs);
    } else this.#messages.delete(message);
  }

  changeVisibility({ message }: Pick<Received<Content>, 'message'>, delayMs: number): void {
    message.visibleAtMs = this.#machine.nowMs + delayMs;
  }

  #receive(message: Message<Content>): Received<Content> {
    const { nowMs, random, chaos, journal } = this.#machine;
    message.receiveCount += 1;
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
