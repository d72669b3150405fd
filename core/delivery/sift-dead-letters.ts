import {
  type DeadLetterQueue,
  factsOf,
  groupOf,
  type KeptLetter,
  type LetterFacts,
  type RedriveTarget,
} from './dead-letters.ts';

/** Which letters a command is about. Without a member, all of them. */
export interface LetterChoice {
  readonly id?: string | undefined;
  /** A part of the reason. */
  readonly reason?: string | undefined;
  readonly withoutReason?: boolean | undefined;
}

interface SiftOptions {
  readonly choice: LetterChoice;
  /** How many letters to look at. */
  readonly limit: number;
  readonly isCounted?: boolean;
}

export interface FoundLetter {
  readonly letter: KeptLetter;
  readonly facts: LetterFacts;
}

export interface Sifted {
  /** How many letters were looked at. */
  readonly looked: number;
  /** About how many letters the queue had before, as SQS counts them: some seconds late. */
  readonly count: number;
  /** How many letters of the choice were found, and are gone where they were to go. */
  readonly found: number;
}

/** A fault after some letters were taken out. The others are where they were. */
export class SiftingFailed extends Error {
  override readonly name = 'SiftingFailed';
  readonly taken: number;

  constructor(taken: number, cause: unknown) {
    super(cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause), { cause });
    this.taken = taken;
  }
}

/**
 * A standard queue has at most 120,000 messages in flight, and what was looked at is in flight until
 * the end.
 */
export const MOST_LETTERS = 100_000;

/** Receives side by side, of ten letters each: 100,000 letters in minutes. */
const AT_ONCE = 8;

/** Time enough to look at all: a hundred letters a second, of which a slow connection has more. */
const hiddenSecondsFor = (limit: number): number => 30 + Math.ceil(limit / 100);

/**
 * Looks at letters of a queue, each once, and gives those of the choice to `take`, which resolves to
 * whether the letter is to be removed. What was looked at and stays is hidden from others meanwhile,
 * and released at the end. If the process dies, it comes back by itself after `hiddenSecondsFor`.
 *
 * @param options.isCounted look at no more letters than the queue had at the start
 */
export const siftLetters = async (
  queue: DeadLetterQueue,
  { choice, limit, isCounted = false }: SiftOptions,
  take: (found: FoundLetter) => Promise<'remove' | 'keep'>,
): Promise<Sifted> => {
  const count = await queue.count();
  const most = Math.min(limit, MOST_LETTERS, isCounted ? count : MOST_LETTERS);
  const seen = new Set<string>();
  const held: string[] = [];
  let [looked, found, removed] = [0, 0, 0];
  let isOver = false;
  const siftSome = async (): Promise<void> => {
    const received = await queue.receive(hiddenSecondsFor(most));
    isOver ||= received.length === 0;
    const letters = received.filter(({ id }) => !seen.has(id)).slice(0, most - looked);
    looked += letters.length;
    for (const { id } of letters) seen.add(id);
    const chosen = letters
      .map((letter) => ({ letter, facts: factsOf(letter) }))
      .filter((one) => isChosen(one, choice));
    found += chosen.length;
    isOver ||= choice.id !== undefined && chosen.length > 0;
    const outcomes = await Promise.allSettled(chosen.map(take));
    const gone = chosen.flatMap(({ letter }, index) => {
      const outcome = outcomes[index];
      return outcome?.status === 'fulfilled' && outcome.value === 'remove' ? [letter.receipt] : [];
    });
    held.push(...received.map(({ receipt }) => receipt).filter((one) => !gone.includes(one)));
    if (gone.length > 0) await queue.remove(gone);
    removed += gone.length;
    const fault = outcomes.find((outcome) => outcome.status === 'rejected');
    if (fault) throw fault.reason;
  };
  const siftOn = async (): Promise<void> => {
    try {
      while (!isOver && looked < most) await siftSome();
    } finally {
      isOver = true;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, siftOn));
  await queue.release(held);
  const fault = ends.find((end) => end.status === 'rejected');
  if (fault) throw new SiftingFailed(removed, fault.reason);
  return { looked, count, found };
};

const isChosen = ({ letter, facts }: FoundLetter, choice: LetterChoice): boolean =>
  (choice.id === undefined || letter.id === choice.id) &&
  (choice.reason === undefined || facts.reason?.includes(choice.reason) === true) &&
  (choice.withoutReason !== true || facts.reason === undefined);

/**
 * Puts letters back where they came from, with their attributes and without the reason. A letter is
 * sent before it is removed: if the process dies between the two, the letter is in both queues, and
 * whoever redrives it again repeats a message, as SQS itself may at any time.
 *
 * A letter that cannot be read comes back as a new letter, after those that were counted.
 */
export const redriveLetters = (
  queue: DeadLetterQueue,
  target: RedriveTarget,
  options: SiftOptions,
): Promise<Sifted> =>
  siftLetters(queue, { ...options, isCounted: true }, async ({ letter, facts }) => {
    const { reason: _, ...attributes } = letter.attributes;
    await target.send({ ...letter, attributes }, groupOf(facts));
    return 'remove';
  });

/** Removes letters that are in the queue now, for good. */
export const dropLetters = (queue: DeadLetterQueue, options: SiftOptions): Promise<Sifted> =>
  siftLetters(queue, { ...options, isCounted: true }, async () => 'remove');
