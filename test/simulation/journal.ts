/** What happened in a run: what it met with, what it did wrong, and on request every step. */
export class Journal {
  readonly met = new Set<string>();
  readonly lines: string[] = [];
  readonly #isKept: boolean;
  #violation: Error | undefined;

  constructor({ keepLines = false } = {}) {
    this.#isKept = keepLines;
  }

  /** A situation that the simulation is meant to come into. */
  saw(situation: string): void {
    this.met.add(situation);
  }

  violated(rule: string, cause?: unknown): void {
    this.#violation ??= new Error(rule, { cause });
    if (this.#isKept) this.lines.push(`VIOLATED: ${rule}`);
  }

  get violation(): Error | undefined {
    return this.#violation;
  }

  note(atMs: number, what: string, detail?: unknown): void {
    if (!this.#isKept) return;
    const text = detail === undefined ? '' : ` ${JSON.stringify(detail)}`;
    this.lines.push(`${new Date(atMs).toISOString()} ${what}${text}`);
  }
}
