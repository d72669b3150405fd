import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../support/lambdas/openapi.ts';

describe('the OpenAPI document', () => {
  it('has nothing that a strict linter finds', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        // `/{account_name}/integrations` is the contract's. The gateway takes the more literal
        // path, and no account can have the name of one.
        'no-ambiguous-paths': 'off',
      },
    });
    const problems = await lintFromString({
      source: JSON.stringify(openApiDocument()),
      absoluteRef: 'openapi.json',
      config,
    });
    expect(
      problems.map(({ ruleId, message, location: [at] }) => [ruleId, message, at?.pointer]),
    ).toEqual([]);
  });
});
