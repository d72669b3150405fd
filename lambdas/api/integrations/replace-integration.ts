import { integrationDocument } from '../../../core/integration/integration-document.ts';
import { integrationResource } from '../../../core/integration/integration-resource.ts';
import type { Route } from '../runtime/route.ts';
import { changedIntegration, readIntegration, writtenIntegration } from './integration-examples.ts';
import { writeHandler } from './write-endpoint.ts';

export const route = {
  method: 'PUT',
  path: '/integrations/{id}',
  access: 'admin',
  operationId: 'replaceIntegration',
  tag: 'Integrations',
  summary: 'Replace an integration’s settings',
  description: [
    'Replaces `description`, `active`, `config` and `settings`; `provider` cannot change. A document that was read can be sent back: a secret of `[FILTERED]` stays as it is. An absent `webhookSecret` stays too, since every delivery is signed; an absent `clientSecret`, or an absent header, is removed. A `webhookSecret` that is set takes effect at once, without an overlap: to change it without one failed verification, rotate it.',
    'Ends `failed` and `busy`, and sends what is pending.',
  ].join('\n\n'),
  requestHeaders: ['If-Match'],
  body: {
    schema: integrationDocument,
    examples: {
      subscribed: {
        summary: 'Incoming messages, and outgoing ones that failed',
        value: writtenIntegration,
      },
      asRead: { summary: 'As it was read', value: readIntegration },
    },
  },
  answers: [
    {
      status: 200,
      description: 'The integration; with its webhook secret when this call set it.',
      schema: integrationResource,
      headers: ['ETag'],
      examples: { replaced: { summary: 'With the secret it had', value: changedIntegration } },
    },
  ],
  refusals: ['not-found', 'conflict', 'precondition-failed'],
} as const satisfies Route;

export const createHandler = writeHandler(route, 'integration.replaced');
