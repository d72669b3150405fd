import fc from 'fast-check';
import { type Scenario, scenario } from './scenario.ts';
import { simulate } from './simulate.ts';

interface Failure {
  /** `seed` and `path` give the same run again. */
  readonly seed: number;
  readonly path: string;
  /** The violated rule. */
  readonly rule: string;
  readonly scenario: Scenario;
}

export interface Exploration {
  readonly runs: number;
  /** In how many runs each situation occurred. */
  readonly met: ReadonlyMap<string, number>;
  readonly failure?: Failure;
}

/** Runs with one seed: the first block has `seed`, the next block `seed + 1`, and so on. */
export const BLOCK = 500;

/** Simulates drawn scenarios until a run breaks a rule; then shrinks the scenario of this run. */
export const explore = async (
  { runs, seed, path }: { runs: number; seed: number; path?: string },
  onProgress: (soFar: Exploration) => void = () => {},
): Promise<Exploration> => {
  const met = new Map<string, number>();
  let isBroken = false;
  const property = fc.asyncProperty(scenario, async (drawn) => {
    const journal = await simulate(drawn);
    // Situations that occur while shrinking are not counted.
    isBroken ||= journal.violation !== undefined;
    if (journal.violation) throw journal.violation;
    if (isBroken) return;
    for (const situation of journal.met) met.set(situation, (met.get(situation) ?? 0) + 1);
  });
  let done = 0;
  while (done < runs) {
    const details = await fc.check(property, {
      seed: seed + done / BLOCK,
      numRuns: Math.min(BLOCK, runs - done),
      ...(path !== undefined && { path }),
    });
    done += details.numRuns;
    if (details.failed) return { runs: done, met, failure: failureOf(details) };
    onProgress({ runs: done, met });
  }
  return { runs: done, met };
};

const failureOf = (details: fc.RunDetails<[Scenario]>): Failure => {
  const { seed, counterexamplePath, counterexample, errorInstance } = details;
  if (counterexample === null) throw new Error('The exploration failed without a run.');
  const rule = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  // Fast-check makes a number of 32 bits with a sign of it.
  return { seed: seed >>> 0, path: counterexamplePath ?? '', rule, scenario: counterexample[0] };
};
