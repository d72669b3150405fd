import type { DeadLetters } from '../../../core/delivery/delivery-queue.ts';

export class InMemoryDeadLetters implements DeadLetters {
  readonly letters: { text: string; reason: string }[] = [];

  async add(text: string, reason: string): Promise<void> {
    this.letters.push({ text, reason });
  }
}
