import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { withNewSecret } from '../../../../lambdas/api/integrations/integration-examples.ts';
import { testedWebhook } from '../../../../lambdas/api/test-and-recover/send-examples.ts';

describe('The example of a test', () => {
  it('shows a signature that the other examples’ secret verifies', () => {
    const { headers, body } = testedWebhook.request;
    expect(headers['X-Service-Signature']).toBe(
      createHmac('sha256', withNewSecret.config.webhookSecret).update(body).digest('hex'),
    );
  });
});
