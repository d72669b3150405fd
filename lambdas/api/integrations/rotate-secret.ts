import { integrationResource } from '../../../core/integration/integration-resource.ts';
import { secretRotation } from '../../../core/integration/rotate-secret.ts';
import type { WriteIntegration } from '../../../core/integration/write-integration.ts';
import type { Logger } from '../../runtime/reporting.ts';
import type { Route } from '../runtime/route.ts';
import { readIntegration, withSecret } from './integration-examples.ts';
import { writeEndpoint } from './write-endpoint.ts';

const OWN_SECRET = 'another secret of my own';
const MADE_SECRET = 'whsec_GdT1qH0l6sRZ4uJbXcVn8yKfAe3mWpO7i5xBtLwQ2k0=';

const rotated = { ...readIntegration, updatedAt: '2026-11-21T08:00:00.000Z' };

export const route = {
  method: 'POST',
  path: '/integrations/{id}/rotate-secret',
  access: 'admin',
  operationId: 'rotateSecret',
  tag: 'Integrations',
  summary: 'Rotate the webhook secret',
  description: [
    'Gives the integration a new webhook secret, which this answer alone shows. During the overlap `webhook-signature` carries the signatures of both secrets, so a receiver that verifies it may have either; `X-Service-Signature` is that of the new one from the start.',
    'If the answer is lost, call again: the secret from before the first call still signs until the end of that call’s overlap. At most four previous secrets are kept. Like every change of settings, this ends `failed` and `busy`, and sends what is pending.',
  ].join('\n\n'),
  requestHeaders: ['If-Match'],
  body: {
    schema: secretRotation,
    isOptional: true,
    examples: {
      made: { summary: 'A secret that the service makes, an overlap of 24 hours', value: {} },
      own: {
        summary: 'A secret of one’s own, an overlap of an hour',
        value: { webhookSecret: OWN_SECRET, overlapSeconds: 3_600 },
      },
      leaked: { summary: 'The old secret is known to others', value: { overlapSeconds: 0 } },
    },
  },
  answers: [
    {
      status: 200,
      description: 'The integration, with its new webhook secret.',
      schema: integrationResource,
      headers: ['ETag'],
      examples: {
        made: {
          summary: 'With a secret that was made',
          value: {
            ...withSecret(rotated, MADE_SECRET),
            previousSecretExpiresAt: '2026-11-22T08:00:00.000Z',
          },
        },
        own: {
          summary: 'With a secret of one’s own',
          value: {
            ...withSecret(rotated, OWN_SECRET),
            previousSecretExpiresAt: '2026-11-21T09:00:00.000Z',
          },
        },
        leaked: {
          summary: 'With a secret that was made, and no other in force',
          value: withSecret(rotated, MADE_SECRET),
        },
      },
    },
  ],
  refusals: ['not-found', 'conflict', 'precondition-failed'],
} as const satisfies Route;

export const createHandler = (deps: {
  rotateSecret: WriteIntegration;
  now: () => Date;
  logger: Logger;
}) => writeEndpoint(route, { ...deps, write: deps.rotateSecret }, 'integration.secret_rotated');
