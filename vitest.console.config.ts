import { defineConfig } from 'vitest/config';
import { PATIENCE_MS, TEST_TIMEOUT_MS } from './test/support/patience.ts';
import { createProofReporter } from './tools/proof/reporter.ts';

/** The console in a browser: apart from `npm test`, which needs nothing but npm. */
export default defineConfig({
  test: {
    name: 'console',
    include: ['test/console/**/*.test.ts'],
    globalSetup: 'test/support/console/console-under-test.ts',
    // One service, whose account has all the tests' webhooks, and one browser at a time.
    fileParallelism: false,
    testTimeout: 2 * TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    reporters: [
      'default',
      ['json', { outputFile: '.vitest/console-results.json' }],
      createProofReporter(),
    ],
  },
});
