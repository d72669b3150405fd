import type { ConsoleLink, ConsoleLinks } from '../../../core/directory/console-link.ts';

export class InMemoryConsoleLinks implements ConsoleLinks {
  readonly #links = new Map<string, ConsoleLink>();

  get all(): readonly ConsoleLink[] {
    return [...this.#links.values()];
  }

  async add(link: ConsoleLink): Promise<void> {
    this.#links.set(link.hash, link);
  }

  async take(hash: string, now: Date): Promise<ConsoleLink | undefined> {
    const link = this.#links.get(hash);
    if (link === undefined || link.validUntil <= now.toISOString()) return undefined;
    this.#links.delete(hash);
    return link;
  }
}
