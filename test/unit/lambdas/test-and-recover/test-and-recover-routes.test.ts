import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseRequestDocument } from '../../../../core/json-ld/request-document.ts';
import { withNewSecret } from '../../../../lambdas/api/integrations/integration-examples.ts';
import type { Route } from '../../../../lambdas/api/runtime/route.ts';
import { route as runRecovery } from '../../../../lambdas/api/test-and-recover/request-recovery/route.ts';
import { route as resendDelivery } from '../../../../lambdas/api/test-and-recover/resend-delivery/route.ts';
import { route as retryNow } from '../../../../lambdas/api/test-and-recover/retry-now/route.ts';
import { route as testIntegration } from '../../../../lambdas/api/test-and-recover/test-integration/route.ts';
import { testedWebhook } from '../../../../lambdas/api/test-and-recover/webhook-test-examples.ts';

const ROUTES: readonly Route[] = [testIntegration, retryNow, resendDelivery, runRecovery];

describe('what the routes that mend tell of themselves', () => {
  it.each(ROUTES)(
    '$operationId: its examples are what it takes and answers',
    ({ body, answers }) => {
      for (const { value } of Object.values(body?.examples ?? {})) {
        const schema = body?.schema;
        expect(schema && parseRequestDocument(schema, value, { name: 'example' })).toEqual(value);
      }
      for (const { schema, examples } of answers) {
        expect(Object.keys(examples ?? {})).not.toEqual([]);
        for (const { value } of Object.values(examples ?? {})) {
          expect(schema?.parse(value)).toEqual(value);
        }
      }
    },
  );

  it('shows a signature that the other examples’ secret verifies', () => {
    const { headers, body } = testedWebhook.request;
    expect(headers['X-Service-Signature']).toBe(
      createHmac('sha256', withNewSecret.config.webhookSecret).update(body).digest('hex'),
    );
  });
});
