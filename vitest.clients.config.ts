import { defineConfig } from 'vitest/config';
import { PATIENCE_MS, TEST_TIMEOUT_MS } from './test/support/patience.ts';
import { createTableReporter } from './test/support/receivers/table-reporter.ts';
import { createProofReporter } from './tools/proof/reporter.ts';

/** Clients generated from the OpenAPI document: apart, because each generator needs tools of its own. */
export default defineConfig({
  test: {
    name: 'clients',
    include: ['test/clients/**/*.test.ts'],
    globalSetup: 'test/support/journey/service-under-test.ts',
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    reporters: [
      'default',
      ['json', { outputFile: '.vitest/clients-results.json' }],
      createTableReporter(),
      createProofReporter(),
    ],
  },
});
