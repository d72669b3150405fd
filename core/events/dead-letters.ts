export interface DeadLetters {
  /** Keeps the text of a message that can never be processed, with the reason. Durable when it resolves. */
  add(text: string, reason: string): Promise<void>;
}
