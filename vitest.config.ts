import { defineConfig } from 'vitest/config';

const project = (
  name: string,
  options: { globalSetup?: string; sequence?: { groupOrder: number } } = {},
) => ({
  test: { name, include: [`test/${name}/**/*.test.ts`], ...options },
});

export default defineConfig({
  test: {
    // Two busy cores can make any of them slow; none of them waits by the clock.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // The journeys wait most of the time: for backoffs, hours of some seconds, endpoints that hang.
    maxWorkers: 3,
    projects: [
      project('unit'),
      project('contract'),
      project('infra'),
      project('simulation'),
      project('journey', { globalSetup: 'test/support/service-under-test.ts' }),
      // What the journeys left behind.
      project('aftermath', { sequence: { groupOrder: 1 } }),
    ],
    reporters: ['default', ['json', { outputFile: '.vitest/results.json' }]],
  },
});
