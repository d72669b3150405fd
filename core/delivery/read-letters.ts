import {
  type DeadLetterQueue,
  factsOf,
  type LetterFacts,
  type StoredLetter,
} from './dead-letters.ts';

export interface FoundLetter {
  readonly letter: StoredLetter;
  readonly facts: LetterFacts;
}

interface LettersRead {
  readonly looked: number;
  /** About how many letters the queue had at the start, as SQS counts them: some seconds late. */
  readonly count: number;
}

/** A standard queue has at most 120,000 messages in flight, which each letter is to the end. */
export const MOST_LETTERS = 100_000;

/** Parallel receives of ten letters each: 100,000 letters in minutes. */
const AT_ONCE = 8;

/** Time for the whole command at a hundred letters a second, which a slow connection reaches. */
const hiddenSecondsFor = (limit: number): number => 30 + Math.ceil(limit / 100);

/**
 * Shows up to `limit` letters to `judge`, each once, and removes those that it says. They are hidden
 * from others meanwhile, and released at the end or after `hiddenSecondsFor`.
 */
export const readLetters = async (
  queue: DeadLetterQueue,
  limit: number,
  judge: (found: FoundLetter) => 'remove' | 'keep',
): Promise<LettersRead> => {
  const count = await queue.count();
  const seen = new Set<string>();
  const held: string[] = [];
  let isOver = false;
  const readSome = async (): Promise<void> => {
    const received = await queue.receive(hiddenSecondsFor(limit));
    isOver ||= received.length === 0;
    const letters = received.filter(({ id }) => !seen.has(id)).slice(0, limit - seen.size);
    for (const { id } of letters) seen.add(id);
    const removed = letters
      .filter((letter) => judge({ letter, facts: factsOf(letter) }) === 'remove')
      .map(({ receipt }) => receipt);
    held.push(...received.map(({ receipt }) => receipt).filter((one) => !removed.includes(one)));
    if (removed.length > 0) await queue.remove(removed);
  };
  const readOn = async (): Promise<void> => {
    try {
      while (!isOver && seen.size < limit) await readSome();
    } finally {
      isOver = true;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, readOn));
  await queue.release(held);
  const fault = ends.find((end) => end.status === 'rejected');
  if (fault) throw fault.reason;
  return { looked: seen.size, count };
};
