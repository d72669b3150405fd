import { integrationResource } from '../../../core/integration/integration-resource.ts';
import { secretRotation } from '../../../core/integration/rotate-secret.ts';
import type { Route } from '../runtime/route.ts';
import { readIntegration } from './integration-examples.ts';
import { writeHandler } from './write-endpoint.ts';

const OWN_SECRET = 'another secret of my own';
const MADE_SECRET = 'whsec_GdT1qH0l6sRZ4uJbXcVn8yKfAe3mWpO7i5xBtLwQ2k0=';

const prepared = (nextWebhookSecret: string) => ({
  ...readIntegration,
  updatedAt: '2026-11-21T08:00:00.000Z',
  config: { ...readIntegration.config, nextWebhookSecret },
});

export const route = {
  method: 'POST',
  path: '/integrations/{id}/rotate-secret',
  access: 'admin',
  operationId: 'rotateSecret',
  tag: 'Integrations',
  summary: 'Prepare a rotation of the webhook secret',
  description: [
    'Makes or takes the secret that will replace the present one, and shows it in this answer alone. Nothing that receivers verify with ends: `X-Service-Signature` is still by the present secret, and `webhook-signature` has a signature by each. Let your receivers accept both secrets, then call `switch-secret`.',
    'If the answer is lost, call again: the next secret of the call before signs `webhook-signature` for a day more. With the present secret as `webhookSecret`, the rotation is cancelled. Like every change of settings, this ends `failed` and `busy`, and sends what is pending.',
  ].join('\n\n'),
  requestHeaders: ['If-Match'],
  body: {
    schema: secretRotation,
    isOptional: true,
    examples: {
      made: { summary: 'A secret that the service makes', value: {} },
      own: { summary: 'A secret of one’s own', value: { webhookSecret: OWN_SECRET } },
    },
  },
  answers: [
    {
      status: 200,
      description: 'The integration, with its next webhook secret.',
      schema: integrationResource,
      headers: ['ETag'],
      examples: {
        made: { summary: 'With a secret that was made', value: prepared(MADE_SECRET) },
        own: { summary: 'With a secret of one’s own', value: prepared(OWN_SECRET) },
      },
    },
  ],
  refusals: ['not-found', 'conflict', 'precondition-failed'],
} as const satisfies Route;

export const createHandler = writeHandler(route, 'integration.secret_prepared');
