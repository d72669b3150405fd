import { IN_FLIGHT_LIMIT } from '../../lib/limits.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** First in, first out; `shift` of an array takes time in proportion to its length. */
class Fifo<Item> {
  #items: Item[] = [];
  #head = 0;

  get first(): Item | undefined {
    return this.#items[this.#head];
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) return undefined;
    this.#head += 1;
    if (this.#head > 1_000 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}

export interface Message<Content> {
  readonly id: string;
  readonly group: string;
  readonly content: Content;
  receiveCount: number;
  firstReceivedAtMs: number;
  visibleAtMs: number;
}

const NOISY_SHARE = 0.1;
const LEAST_OF_A_NOISY_GROUP = 30;

/**
 * A standard queue of SQS with message groups, which make it a fair queue. In flight is what was
 * received and is neither deleted nor visible again; at 120,000 in flight the queue hands out
 * nothing.
 *
 * The model of fairness: a group is noisy while it has more than a tenth of the messages in flight
 * and at least 30. Messages of other groups are received first, in the order in which they became
 * visible, and those of noisy groups when there are no others. SQS also takes a group as noisy by
 * the time of consumers that it uses, and needs a while to notice; the model leaves both out. No
 * function of the model takes longer than its visibility timeout, so no message comes back by it.
 */
export class FairQueue<Content> {
  readonly #clock: VirtualClock;
  readonly #name: string;
  readonly #waiting = new Fifo<Message<Content>>();
  /** What a noisy group has had to let others go before. */
  readonly #heldBack = new Map<string, Fifo<Message<Content>>>();
  readonly #inFlightOf = new Map<string, number>();
  /** Called whenever a message becomes visible. */
  onVisible: () => void = () => {};
  /** How many messages could be received now. */
  visible = 0;
  inFlight = 0;
  mostInFlight = 0;
  #sent = 0;

  constructor(clock: VirtualClock, name: string) {
    this.#clock = clock;
    this.#name = name;
  }

  send(content: Content, { group }: { group: string }): void {
    this.#sent += 1;
    const id = `${this.#name} ${this.#sent}`;
    const message = { id, group, content, receiveCount: 0, firstReceivedAtMs: 0, visibleAtMs: 0 };
    this.#show(message);
  }

  receive(most: number): Message<Content>[] {
    const received: Message<Content>[] = [];
    while (received.length < most && this.inFlight < IN_FLIGHT_LIMIT) {
      const message = this.#next();
      if (message === undefined) break;
      this.#hide(message);
      received.push(message);
    }
    return received;
  }

  /** The message is in flight no more. */
  delete({ group }: Message<Content>): void {
    this.inFlight -= 1;
    const left = (this.#inFlightOf.get(group) ?? 0) - 1;
    if (left > 0) this.#inFlightOf.set(group, left);
    else this.#inFlightOf.delete(group);
  }

  changeVisibility(message: Message<Content>, delayMs: number): void {
    this.#clock.schedule(delayMs, () => {
      this.delete(message);
      this.#show(message);
    });
  }

  #next(): Message<Content> | undefined {
    for (let first = this.#waiting.first; first; first = this.#waiting.first) {
      if (!this.#isNoisy(first.group)) break;
      this.#waiting.shift();
      this.#holdBack(first);
    }
    const isQuiet = ([group]: readonly [string, unknown]): boolean => !this.#isNoisy(group);
    const quiet = [...this.#heldBack].filter(isQuiet).map(([, held]) => held);
    return (
      this.#oldestOf([...quiet, this.#waiting]) ?? this.#oldestOf([...this.#heldBack.values()])
    );
  }

  #oldestOf(fifos: readonly Fifo<Message<Content>>[]): Message<Content> | undefined {
    const atOf = (fifo: Fifo<Message<Content>> | undefined): number =>
      fifo?.first?.visibleAtMs ?? Number.POSITIVE_INFINITY;
    let oldest: Fifo<Message<Content>> | undefined;
    for (const fifo of fifos) if (atOf(fifo) < atOf(oldest)) oldest = fifo;
    const message = oldest?.shift();
    const held = message && this.#heldBack.get(message.group);
    if (held && !held.first) this.#heldBack.delete(message.group);
    return message;
  }

  #holdBack(message: Message<Content>): void {
    const held = this.#heldBack.get(message.group) ?? new Fifo();
    this.#heldBack.set(message.group, held);
    held.push(message);
  }

  #isNoisy(group: string): boolean {
    const own = this.#inFlightOf.get(group) ?? 0;
    return own >= LEAST_OF_A_NOISY_GROUP && own > NOISY_SHARE * this.inFlight;
  }

  #show(message: Message<Content>): void {
    message.visibleAtMs = this.#clock.nowMs;
    // Behind what its group has had to hold back, if anything.
    if (this.#heldBack.has(message.group)) this.#holdBack(message);
    else this.#waiting.push(message);
    this.visible += 1;
    this.onVisible();
  }

  #hide(message: Message<Content>): void {
    message.receiveCount += 1;
    if (message.receiveCount === 1) message.firstReceivedAtMs = this.#clock.nowMs;
    this.visible -= 1;
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    this.#inFlightOf.set(message.group, (this.#inFlightOf.get(message.group) ?? 0) + 1);
  }
}
