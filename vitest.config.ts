import { defineConfig } from 'vitest/config';
import { PATIENCE_MS, TEST_TIMEOUT_MS } from './test/support/patience.ts';
import { createProofReporter } from './tools/proof/reporter.ts';

const project = (
  name: string,
  options: { include?: string[]; globalSetup?: string; sequence?: { groupOrder: number } } = {},
) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    setupFiles: 'test/support/property-seed.ts',
    ...options,
  },
});

/** Each project that uses it has an embedded run of its own. */
const globalSetup = 'test/support/journey/service-under-test.ts';

/** `npm test` runs all projects but `slow`, which `npm run verify` adds. */
export default defineConfig({
  test: {
    // A worker loads a module once: no test file leaves state behind that another file sees.
    isolate: false,
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    // Journeys wait most of the time: for backoffs, and for functions that start.
    maxWorkers: 3,
    projects: [
      project('unit'),
      project('contract'),
      project('infra'),
      project('local-aws', { include: ['packages/local-aws/test/**/*.test.ts'] }),
      project('simulation'),
      project('journey', { globalSetup }),
      project('slow', { globalSetup }),
      // Reads the logs that the journeys have written.
      project('after-journeys', { sequence: { groupOrder: 1 } }),
    ],
    reporters: [
      'default',
      ['json', { outputFile: process.env.RESULTS_FILE ?? '.vitest/results.json' }],
      createProofReporter(),
    ],
  },
});
