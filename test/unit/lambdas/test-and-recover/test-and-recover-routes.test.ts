import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseRequestDocument } from '../../../../core/json-ld/request-document.ts';
import { withNewSecret } from '../../../../lambdas/_openapi/examples/integration-examples.ts';
import { testedWebhook } from '../../../../lambdas/_openapi/examples/webhook-test-examples.ts';
import type { Route } from '../../../../lambdas/_runtime/route.ts';
import { route as runRecovery } from '../../../../lambdas/request-recovery/route.ts';
import { route as resendDelivery } from '../../../../lambdas/resend-delivery/route.ts';
import { route as retryNow } from '../../../../lambdas/retry-now/route.ts';
import { route as testIntegration } from '../../../../lambdas/test-integration/route.ts';

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
