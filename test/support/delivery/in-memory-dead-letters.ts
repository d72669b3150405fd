import type { DeadLetter, DeadLetters } from '../../../core/delivery/delivery-queue.ts';

export class InMemoryDeadLetters implements DeadLetters {
  readonly letters: (DeadLetter & { reason: string })[] = [];

  async add(letter: DeadLetter, reason: string): Promise<void> {
    this.letters.push({ ...letter, reason });
  }
}
