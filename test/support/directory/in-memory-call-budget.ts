import type { CallBudget } from '../../../core/directory/call-budget.ts';

export class InMemoryCallBudget implements CallBudget {
  readonly #calls = new Map<string, number>();
  readonly #options: { now: () => Date; callsPerMinute: number };

  constructor(options: { now: () => Date; callsPerMinute: number }) {
    this.#options = options;
  }

  async spend(account: string): Promise<boolean> {
    const { now, callsPerMinute } = this.#options;
    const name = `${account} ${now().toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)}`;
    const calls = this.#calls.get(name) ?? 0;
    if (calls >= callsPerMinute) return false;
    this.#calls.set(name, calls + 1);
    return true;
  }
}
