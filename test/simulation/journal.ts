/** Keeps the situations of a run, its first violation of a rule and, on request, every step. */
export class Journal {
  /** The situations that occurred. */
  readonly met = new Set<string>();
  /** The steps of the run, as text; empty unless `keepLines` is set. */
  readonly lines: string[] = [];
  readonly #isKept: boolean;
  #violation: Error | undefined;

  constructor({ keepLines = false } = {}) {
    this.#isKept = keepLines;
  }

  /** Notes a situation that occurs; the test demands that certain situations do. */
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
