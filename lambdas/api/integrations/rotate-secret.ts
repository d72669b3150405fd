import { integrationResource } from '../../../core/integration/integration-resource.ts';
import { secretRotation } from '../../../core/integration/rotate-secret.ts';
import type { Route } from '../runtime/route.ts';
import { writeHandler } from './write-endpoint.ts';

export const route = {
  method: 'POST',
  path: '/integrations/{id}/rotate-secret',
  access: 'admin',
  operationId: 'rotateSecret',
  tag: 'Integrations',
  summary: 'Prepare a rotation of the webhook secret',
  description: [
    'Prepares the secret that will replace the current one: yours, or a generated one. Only this answer shows it. `X-Service-Signature` still uses the current secret, and `webhook-signature` has a signature with each. Let your receivers accept both secrets, then call `switch-secret` with the new one.',
    'If the answer is lost, call again: the secret prepared before signs `webhook-signature` for one more day. The current secret as `webhookSecret` cancels the rotation. Like every change of settings, this ends `failed` and `busy`, and sends pending events.',
  ].join('\n\n'),
  requestHeaders: ['If-Match'],
  body: {
    schema: secretRotation,
    isOptional: true,
    examples: {
      made: { summary: 'A generated secret', value: {} },
      own: { summary: 'Your own secret', value: { webhookSecret: 'another secret of my own' } },
    },
  },
  answers: [
    {
      status: 200,
      description: 'The integration, with its next webhook secret.',
      schema: integrationResource,
      headers: ['ETag'],
      recorded: { made: 'With a generated secret', own: 'With your own secret' },
    },
  ],
  refusals: ['not-found', 'conflict', 'precondition-failed'],
} as const satisfies Route;

export const createHandler = writeHandler(route, 'integration.secret_prepared');
