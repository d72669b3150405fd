import { defineConfig } from 'vitest/config';
import { PATIENCE_MS, TEST_TIMEOUT_MS } from './test/support/patience.ts';

const project = (
  name: string,
  options: { globalSetup?: string; sequence?: { groupOrder: number } } = {},
) => ({
  test: { name, include: [`test/${name}/**/*.test.ts`], ...options },
});

export default defineConfig({
  test: {
    // What a file imports is loaded once in a worker: no file leaves anything behind that another sees.
    isolate: false,
    // Two busy cores can make any of them slow; none of them waits by the clock.
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    // The journeys wait most of the time: for backoffs, hours of some seconds, endpoints that hang.
    maxWorkers: 3,
    projects: [
      project('unit'),
      project('contract'),
      project('infra'),
      project('simulation'),
      project('journey', { globalSetup: 'test/support/journey/service-under-test.ts' }),
      // What the journeys left behind.
      project('aftermath', { sequence: { groupOrder: 1 } }),
    ],
    reporters: [
      'default',
      ['json', { outputFile: process.env.RESULTS_FILE ?? '.vitest/results.json' }],
    ],
  },
});
