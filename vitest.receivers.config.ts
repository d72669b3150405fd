import { defineConfig } from 'vitest/config';
import { PATIENCE_MS, TEST_TIMEOUT_MS } from './test/support/patience.ts';
import { createTableReporter } from './test/support/receivers/table-reporter.ts';
import { createProofReporter } from './tools/proof/reporter.ts';

/** The receivers of `receivers/`, behind the service: apart, because each needs tools of its own. */
export default defineConfig({
  test: {
    name: 'receivers',
    include: ['test/receivers/**/*.test.ts'],
    globalSetup: 'test/support/journey/service-under-test.ts',
    // One receiver at a time: some of them need as much memory as the service.
    fileParallelism: false,
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    reporters: [
      'default',
      ['json', { outputFile: '.vitest/receivers-results.json' }],
      createTableReporter(),
      createProofReporter(),
    ],
  },
});
