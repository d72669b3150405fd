import type { Message, SourceQueue } from './fair-queue.ts';
import { Fifo } from './fifo.ts';

/**
 * A FIFO queue of SQS: the messages of a group are handed out in order, one at a time, the next
 * only after the deletion of the one before.
 */
export class GroupFifo<Content> implements SourceQueue<Content> {
  readonly #waitingOf = new Map<string, Fifo<Message<Content>>>();
  /** Groups of which no message is in flight, and some wait. */
  readonly #ready = new Fifo<string>();
  readonly #inFlight = new Set<string>();
  onVisible: () => void = () => {};
  mostInFlight = 0;
  #sent = 0;

  get visible(): number {
    return this.#ready.size;
  }

  send(content: Content, { group }: { group: string }): void {
    this.#sent += 1;
    const waiting = this.#waitingOf.get(group) ?? new Fifo<Message<Content>>();
    const isFirst = waiting.size === 0 && !this.#inFlight.has(group);
    this.#waitingOf.set(group, waiting);
    const id = `replay ${this.#sent}`;
    waiting.push({
      id,
      group,
      content,
      receiveCount: 0,
      firstReceivedAtMs: 0,
      visibleAtMs: 0,
    });
    if (isFirst) this.#show(group);
  }

  receive(most: number): Message<Content>[] {
    const received: Message<Content>[] = [];
    while (received.length < most) {
      const group = this.#ready.shift();
      const message = group === undefined ? undefined : this.#waitingOf.get(group)?.shift();
      if (group === undefined || message === undefined) break;
      this.#inFlight.add(group);
      this.mostInFlight = Math.max(this.mostInFlight, this.#inFlight.size);
      message.receiveCount += 1;
      received.push(message);
    }
    return received;
  }

  delete({ group }: Message<Content>): void {
    this.#inFlight.delete(group);
    if ((this.#waitingOf.get(group)?.size ?? 0) > 0) this.#show(group);
    else this.#waitingOf.delete(group);
  }

  #show(group: string): void {
    this.#ready.push(group);
    this.onVisible();
  }
}
