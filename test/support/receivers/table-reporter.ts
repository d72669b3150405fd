import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';

const MARKS = { passed: '✓', failed: '✗', skipped: '-', pending: '-' };

/** Prints a table of the receivers and their cases, and says which receivers were not tested. */
export const createTableReporter = (): Reporter => ({
  onTestRunEnd: (modules) => {
    const suites = modules.filter(isOfReceivers).flatMap(suitesIn);
    const tested = suites.filter((suite) => testsOf(suite).some(({ mark }) => mark !== '-'));
    if (tested.length > 0) console.log(`\n${tableOf(tested).join('\n')}\n`);
    for (const note of suites.flatMap(testsOf).flatMap(({ note }) => note ?? [])) console.log(note);
  },
});

const isOfReceivers = ({ relativeModuleId }: TestModule): boolean =>
  relativeModuleId.endsWith('/conformance.test.ts');

const suitesIn = ({ children }: TestModule): readonly TestSuite[] => [...children.suites()];

const testsOf = (suite: TestSuite) => [...suite.children.allTests()].map(testOf);

const testOf = (test: TestCase) => {
  const result = test.result();
  return {
    name: test.name,
    mark: MARKS[result.state],
    note: result.state === 'skipped' ? result.note : undefined,
    seconds: (test.diagnostic()?.duration ?? 0) / 1_000,
  };
};

/** A line for each case and a column for each receiver, with a mark for each of its routes. */
const tableOf = (suites: readonly TestSuite[]): readonly string[] => {
  const columns = suites.map((suite) => ({ name: suite.name, tests: testsOf(suite) }));
  const cases = new Set(columns.flatMap(({ tests }) => tests.map(({ name }) => name)));
  const rows = [
    ['', ...columns.map(({ name }) => name)],
    ...[...cases].map((name) => [name, ...columns.map(({ tests }) => marksOf(tests, name))]),
    ['seconds to install', ...columns.map(({ tests }) => secondsOf(tests, isInstall))],
    ['seconds to run', ...columns.map(({ tests }) => secondsOf(tests, (it) => !isInstall(it)))],
  ];
  const widths = [0, ...columns.keys().map((at) => at + 1)].map((at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  return rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '));
};

type Test = ReturnType<typeof testOf>;

const isInstall = ({ name }: Test): boolean => name === 'is installed';

const marksOf = (tests: readonly Test[], name: string): string =>
  tests
    .filter((test) => test.name === name)
    .map(({ mark }) => mark)
    .join('');

const secondsOf = (tests: readonly Test[], isCounted: (test: Test) => boolean): string =>
  tests
    .filter(isCounted)
    .reduce((sum, { seconds }) => sum + seconds, 0)
    .toFixed(1);
