import { defineConfig } from 'vitest/config';
import { PATIENCE_MS, TEST_TIMEOUT_MS } from './test/support/patience.ts';

/** Deployments to what stands for AWS: `npm run test:emulator` starts it and names it. */
export default defineConfig({
  test: {
    name: 'emulator',
    include: ['test/emulator/**/*.test.ts'],
    globalSetup: 'test/support/emulator/place-under-test.ts',
    // One emulator, and one deployment at a time.
    fileParallelism: false,
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    reporters: ['default', ['json', { outputFile: process.env.RESULTS_FILE }]],
  },
});
