import { resolve } from 'node:path';
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node';
import type { Mutant } from './operators.ts';

export interface MutantOf extends Mutant {
  readonly file: string;
}

export interface MutationRunner {
  /** Runs tests, in the given order, until one fails. Resolves to the file of the first that fails. */
  firstFailure(tests: readonly string[], mutant?: MutantOf): Promise<string | undefined>;
  close(): Promise<void>;
}

export const TESTS = 'test/unit/**/*.test.ts';

/** A mutant may wait for ever. No test takes as long, even on a busy machine. */
const TEST_TIMEOUT_MS = 60_000;

/** A mutant may loop for ever, which no timeout of a test ends. Counted from the latest result. */
const LOOP_TIMEOUT_MS = 90_000;

export const ENDLESS = 'no end, or an unhandled error';

class GivenOrder {
  async shard(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    return specifications;
  }

  async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    return specifications;
  }
}

interface Hooks {
  transform(code: string, id: string): { code: string; map: null } | undefined;
  onResult(): unknown;
}

const startVitest = async ({ transform, onResult }: Hooks): Promise<Vitest> => {
  const wait = (): void => {
    onResult();
  };
  const vitest = await createVitest(
    'test',
    {
      config: false,
      watch: false,
      include: [TESTS],
      setupFiles: ['test/support/property-seed.ts'],
      // A process loads each module once, runs all tests of one mutant, and ends.
      pool: 'forks',
      isolate: false,
      maxWorkers: 1,
      bail: 1,
      sequence: { sequencer: GivenOrder },
      testTimeout: TEST_TIMEOUT_MS,
      hookTimeout: TEST_TIMEOUT_MS,
      reporters: [{ onTestModuleCollected: wait, onTestCaseResult: wait }],
      silent: true,
      fsModuleCache: false,
    },
    { plugins: [{ name: 'mutation', enforce: 'pre', transform }] },
  );
  await vitest.standalone();
  return vitest;
};

const changed = (code: string, { start, end, replacement }: Mutant): string =>
  code.slice(0, start) + replacement + code.slice(end);

/** Changes the file of a mutant in memory, as it is loaded: nothing is written to disk. */
export const createMutationRunner = async (): Promise<MutationRunner> => {
  let current: MutantOf | undefined;
  let isEndless = false;
  const timer = setTimeout(() => {
    isEndless = true;
    // The first call waits for the tests, the second ends their process.
    void vitest.cancelCurrentRun('keyboard-input');
    void vitest.cancelCurrentRun('keyboard-input');
  }, LOOP_TIMEOUT_MS);
  const vitest = await startVitest({
    transform: (code, id) =>
      current !== undefined && id === resolve(current.file)
        ? { code: changed(code, current), map: null }
        : undefined,
    onResult: () => timer.refresh(),
  });
  const change = (mutant: MutantOf | undefined): void => {
    const file = (mutant ?? current)?.file;
    if (file !== undefined) vitest.invalidateFile(resolve(file));
    current = mutant;
  };
  return {
    firstFailure: async (tests, mutant) => {
      change(mutant);
      isEndless = false;
      timer.refresh();
      const { testModules, unhandledErrors } = await vitest.runTestFiles([...tests]);
      change(undefined);
      // Vitest also returns modules of the runs before, with the results that they had there.
      const failed = testModules.find((one) => tests.includes(one.moduleId) && !one.ok());
      if (failed !== undefined) return failed.moduleId;
      return isEndless || unhandledErrors.length > 0 ? ENDLESS : undefined;
    },
    close: async () => {
      clearTimeout(timer);
      await vitest.close();
    },
  };
};
