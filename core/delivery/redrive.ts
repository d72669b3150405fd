import {
  type DeadLetterQueue,
  factsOf,
  groupOf,
  type LetterFacts,
  type RedriveTarget,
  type StoredLetter,
} from './dead-letters.ts';

/** The letters that a command selects: all of them without a member. */
export interface LetterChoice {
  readonly id?: string | undefined;
  readonly reason?: string | undefined;
  readonly withoutReason?: boolean | undefined;
}

interface LetterSelection {
  readonly choice: LetterChoice;
  readonly limit: number;
  readonly isCounted?: boolean;
  /** Of the letters of the choice, which are selected; all by default. */
  readonly only?: (found: FoundLetter) => Promise<boolean>;
}

export interface FoundLetter {
  readonly letter: StoredLetter;
  readonly facts: LetterFacts;
}

interface LettersTaken {
  readonly looked: number;
  /** About how many letters the queue had at the start, as SQS counts them: some seconds late. */
  readonly count: number;
  /** How many letters were selected and, if they were to be moved, moved. */
  readonly found: number;
}

/** A fault after some letters were moved. The others stay in the queue. */
export class TakingFailed extends Error {
  override readonly name = 'TakingFailed';
  readonly taken: number;

  constructor(taken: number, cause: unknown) {
    super(cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause), { cause });
    this.taken = taken;
  }
}

/** A standard queue has at most 120,000 messages in flight, which each letter is to the end. */
export const MOST_LETTERS = 100_000;

/** Parallel receives of ten letters each: 100,000 letters in minutes. */
const AT_ONCE = 8;

/** Time for the whole command at a hundred letters a second, which a slow connection reaches. */
const hiddenSecondsFor = (limit: number): number => 30 + Math.ceil(limit / 100);

/**
 * Passes each selected letter once to `take`, which resolves to whether to remove it. Others are
 * hidden meanwhile, and released at the end or after `hiddenSecondsFor`.
 * @param options.isCounted pass no more letters than the queue had at the start
 */
export const takeLetters = async (
  queue: DeadLetterQueue,
  { choice, limit, isCounted = false, only = async () => true }: LetterSelection,
  take: (found: FoundLetter) => Promise<'remove' | 'keep'>,
): Promise<LettersTaken> => {
  const count = await queue.count();
  const most = Math.min(limit, MOST_LETTERS, isCounted ? count : MOST_LETTERS);
  const seen = new Set<string>();
  const held: string[] = [];
  let [looked, found, removed] = [0, 0, 0];
  let isOver = false;
  const takeSome = async (): Promise<void> => {
    const received = await queue.receive(hiddenSecondsFor(most));
    isOver ||= received.length === 0;
    const letters = received.filter(({ id }) => !seen.has(id)).slice(0, most - looked);
    looked += letters.length;
    for (const { id } of letters) seen.add(id);
    const candidates = letters
      .map((letter) => ({ letter, facts: factsOf(letter) }))
      .filter((one) => isChosen(one, choice));
    const isWanted = await Promise.all(candidates.map(only));
    const chosen = candidates.filter((_, index) => isWanted[index]);
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
  const takeOn = async (): Promise<void> => {
    try {
      while (!isOver && looked < most) await takeSome();
    } finally {
      isOver = true;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, takeOn));
  await queue.release(held);
  const fault = ends.find((end) => end.status === 'rejected');
  if (fault) throw new TakingFailed(removed, fault.reason);
  return { looked, count, found };
};

const isChosen = ({ letter, facts }: FoundLetter, choice: LetterChoice): boolean =>
  (choice.id === undefined || letter.id === choice.id) &&
  (choice.reason === undefined || facts.reason?.includes(choice.reason) === true) &&
  (choice.withoutReason !== true || facts.reason === undefined);

/**
 * Sends letters back to their queue, without the reason. A letter is sent before it is removed: if
 * the process dies in between, it is sent again, and what was delivered is dropped. A letter that
 * still cannot be read becomes a new letter, after those that were counted.
 */
export const redriveLetters = (
  queue: DeadLetterQueue,
  target: RedriveTarget,
  options: LetterSelection,
): Promise<LettersTaken> =>
  takeLetters(queue, { ...options, isCounted: true }, async ({ letter, facts }) => {
    const { reason: _, ...attributes } = letter.attributes;
    await target.send({ ...letter, attributes }, groupOf(letter, facts));
    return 'remove';
  });

export const dropLetters = (
  queue: DeadLetterQueue,
  options: LetterSelection,
): Promise<LettersTaken> =>
  takeLetters(queue, { ...options, isCounted: true }, async () => 'remove');
