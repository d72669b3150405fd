import { integrationPatch } from '../../../core/integration/integration-document.ts';
import { integrationResource } from '../../../core/integration/integration-resource.ts';
import type { Route } from '../runtime/route.ts';
import { writeHandler } from './write-endpoint.ts';

export const route = {
  method: 'PATCH',
  path: '/integrations/{id}',
  access: 'admin',
  operationId: 'patchIntegration',
  tag: 'Integrations',
  summary: 'Change an integration’s settings in part',
  description: [
    'A JSON Merge Patch ([RFC 7396](https://www.rfc-editor.org/rfc/rfc7396)) of the integration as you read it. The result is checked and written as by `PUT`.',
    'Ends `failed` and `busy`, and sends pending events.',
  ].join('\n\n'),
  requestHeaders: ['If-Match'],
  body: {
    schema: integrationPatch,
    mediaTypes: ['application/merge-patch+json'],
    examples: {
      inactive: { summary: 'Deactivate it', value: { active: false } },
      hold: {
        summary: 'Deactivate it, and keep its events',
        value: { active: false, settings: { whileInactive: 'keep' } },
      },
      subscribe: {
        summary: 'Subscribe to one more event type',
        value: { settings: { actions: { 'contact.created': true } } },
      },
      continue: {
        summary: 'Continue with other events when the endpoint refuses one',
        value: { settings: { onFatalError: 'continue' } },
      },
      filter: {
        summary: 'Receive only the messages to one number',
        value: { settings: { filter: { message: { to: ['+13035550199'] } } } },
      },
      withoutClientSecret: {
        summary: 'Remove the client secret',
        value: { config: { clientSecret: null } },
      },
      header: {
        summary: 'Set a header, and keep the others',
        value: { config: { headers: { 'X-Api-Key': 'a key of the gateway' } } },
      },
    },
  },
  answers: [
    {
      status: 200,
      description: 'The integration, with its webhook secret if this call set it.',
      schema: integrationResource,
      headers: ['ETag'],
      recorded: {
        inactive: 'Deactivated',
        hold: 'Deactivated, keeping events',
        subscribe: 'With one more subscription',
        continue: 'Continuing with other events',
        filter: 'With a filter',
        withoutClientSecret: 'Without a client secret',
        header: 'With the names of its headers',
      },
    },
  ],
  refusals: ['not-found', 'conflict', 'precondition-failed'],
} as const satisfies Route;

export const createHandler = writeHandler(route, 'integration.patched');
