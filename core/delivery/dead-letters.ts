import type { DeadLetter } from './delivery-queue.ts';

/** A dead letter in its queue, as an operator finds it. */
export interface StoredLetter extends DeadLetter {
  /** Of the message in the dead-letter queue. */
  readonly id: string;
  /** When the message was sent to this queue, or to the queue that SQS moved it from. */
  readonly sentAt: Date;
  /** Whether SQS moved it, after a thousand receives: a reason is that of an earlier time. */
  readonly isMovedBySqs: boolean;
  /** Names this receive of the letter. */
  readonly receipt: string;
}

export interface DeadLetterQueue {
  /** About how many letters the queue has, received ones included. */
  count(): Promise<number>;
  /** Up to ten letters, hidden for `hiddenSeconds`. Empty only if the queue is. */
  receive(hiddenSeconds: number): Promise<readonly StoredLetter[]>;
  /** Makes letters visible at once. Letters that cannot be released become visible later. */
  release(receipts: readonly string[]): Promise<void>;
  /** Throws when some letters stay. */
  remove(receipts: readonly string[]): Promise<void>;
}

/** The subject of a dead letter, as far as the letter shows. */
export interface LetterFacts {
  /** Absent if its function died with it again and again. */
  readonly reason?: string;
  readonly account?: string;
  /** The integration's bare id. */
  readonly integration?: string;
  readonly event?: string;
}

/**
 * Reads without a schema: a letter may be unreadable, or of another version. Deliveries have their
 * members in an attribute, other messages are JSON. An event has its own `id`, so does a request for
 * an e-mail, others the integration's.
 */
export const factsOf = (letter: StoredLetter): LetterFacts => {
  const body = membersIn(letter.text);
  const head = membersIn(letter.attributes.delivery?.stringValue);
  const isEvent = 'occurredAt' in body;
  return withoutAbsent({
    reason: reasonOf(letter, body),
    account: textIn(head.account) ?? textIn(body.account),
    integration:
      textIn(head.integration) ?? (isEvent ? undefined : textIn(body.integration ?? body.id)),
    event: textIn(membersOf(head.event).id) ?? (isEvent ? textIn(body.id) : undefined),
  });
};

/** As our functions wrote it, or Scheduler, or Lambda for a change of the delivery log. */
const reasonOf = ({ attributes, isMovedBySqs }: StoredLetter, body: Members): string | undefined =>
  (isMovedBySqs ? undefined : attributes.reason?.stringValue) ??
  attributes.ERROR_CODE?.stringValue ??
  textIn(membersOf(body.requestContext).condition);

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {};

const membersIn = (text: string | undefined): Members => {
  try {
    return membersOf(JSON.parse(text ?? ''));
  } catch {
    return {};
  }
};

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const withoutAbsent = (facts: Record<keyof LetterFacts, string | undefined>): LetterFacts =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
