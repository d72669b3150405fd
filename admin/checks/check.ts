/** A detail of what works, or the reason why the stage has no such part. */
type Finding = string | { readonly absent: string };

/** One question about a deployed stage. */
export interface Check {
  readonly name: string;
  /** 15 seconds by default. */
  readonly limitMs?: number;
  /** Throws an error that says what is wrong. The signal aborts when the time is over. */
  readonly look: (signal: AbortSignal) => Promise<Finding>;
}

export interface CheckResult {
  readonly check: string;
  readonly result: 'ok' | 'failed' | 'not in this stage';
  readonly detail: string;
}

/** Longer than a call of AWS takes at worst, or the start of a function. */
const LIMIT_MS = 15_000;

/** Runs all checks side by side, each within its time. `describe` puts a fault into one line. */
export const runChecks = (
  checks: readonly Check[],
  describe: (fault: unknown) => string,
): Promise<readonly CheckResult[]> => Promise.all(checks.map((check) => runCheck(check, describe)));

const runCheck = async (
  { name: check, limitMs = LIMIT_MS, look }: Check,
  describe: (fault: unknown) => string,
): Promise<CheckResult> => {
  const signal = AbortSignal.timeout(limitMs);
  const expiry = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  try {
    const found = await Promise.race([look(signal), expiry]);
    return typeof found === 'string'
      ? { check, result: 'ok', detail: found }
      : { check, result: 'not in this stage', detail: found.absent };
  } catch (fault) {
    const detail = signal.aborted ? `no result within ${limitMs / 1_000} s` : describe(fault);
    return { check, result: 'failed', detail };
  }
};
