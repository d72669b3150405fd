import type { DeadLetter } from './delivery-queue.ts';

/** A dead letter in its queue, as an operator finds it. */
export interface KeptLetter extends DeadLetter {
  /** Of the message in the dead-letter queue. */
  readonly id: string;
  /** When the message was sent: to this queue, or to the queue that SQS moved it from. */
  readonly sentAt: Date;
  /** The message group that the letter has here. */
  readonly group?: string | undefined;
  /** Names this receive of the letter. */
  readonly receipt: string;
}

export interface DeadLetterQueue {
  /** About how many letters the queue has, received ones included. */
  count(): Promise<number>;
  /**
   * Up to ten letters, which nobody else receives for `hiddenSeconds`. None only when no letter is
   * to be had.
   */
  receive(hiddenSeconds: number): Promise<readonly KeptLetter[]>;
  /** Lets others receive letters at once. A letter that cannot be released comes back by itself. */
  release(receipts: readonly string[]): Promise<void>;
  /** Removes received letters. Throws when some of them stay. */
  remove(receipts: readonly string[]): Promise<void>;
}

/** The queue whose dead letters are put back. */
export interface RedriveTarget {
  /**
   * Puts a message back with its attributes, as a message of its group where it has one. Durable when
   * it resolves.
   */
  send(letter: KeptLetter, group: string | undefined): Promise<void>;
}
