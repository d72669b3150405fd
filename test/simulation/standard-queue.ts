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

interface Options<Content> {
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
  readonly #options: Options<Content>;
  readonly #messages = new Set<Message<Content>>();
  /**
   * Contents of the messages that were handed out although a worker had them, or had deleted them.
   */
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
