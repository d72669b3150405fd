import { integrationDocument } from '../../../core/integration/integration-document.ts';
import { integrationResource } from '../../../core/integration/integration-resource.ts';
import type { Route } from '../runtime/route.ts';
import { writeHandler } from './write-endpoint.ts';
import { writtenIntegration } from './written-integration.ts';

export const route = {
  method: 'PUT',
  path: '/integrations/{id}',
  access: 'admin',
  operationId: 'replaceIntegration',
  tag: 'Integrations',
  summary: 'Replace an integration’s settings',
  description: [
    'Replaces `description`, `active`, `config` and `settings`; `provider` cannot change. You can send back a document that you have read: `[FILTERED]` keeps a stored secret. An absent `webhookSecret` also stays, because every delivery is signed; an absent `clientSecret` or header is removed. A new `webhookSecret` takes effect immediately, without an overlap: to change it without failed verifications, rotate it.',
    'Ends `failed` and `busy`, and sends pending events.',
  ].join('\n\n'),
  requestHeaders: ['If-Match'],
  body: {
    schema: integrationDocument,
    examples: {
      subscribed: {
        summary: 'Incoming messages, and outgoing ones that failed',
        value: writtenIntegration,
      },
      asRead: {
        summary: 'With the stored secret, as you read it',
        value: {
          ...writtenIntegration,
          config: { ...writtenIntegration.config, webhookSecret: '[FILTERED]' },
        },
      },
    },
  },
  answers: [
    {
      status: 200,
      description: 'The integration, with its webhook secret if this call set it.',
      schema: integrationResource,
      headers: ['ETag'],
      recorded: { replaced: 'With the same secret' },
    },
  ],
  refusals: ['not-found', 'conflict', 'precondition-failed'],
} as const satisfies Route;

export const createHandler = writeHandler(route, 'integration.replaced');
