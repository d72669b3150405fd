import { integrationResource } from '../../../core/integration/integration-resource.ts';
import { secretSwitch } from '../../../core/integration/rotate-secret.ts';
import type { Route } from '../runtime/route.ts';
import { writeHandler } from './write-endpoint.ts';

const webhookSecret = 'another secret of my own';

export const route = {
  method: 'POST',
  path: '/integrations/{id}/switch-secret',
  access: 'admin',
  operationId: 'switchSecret',
  tag: 'Integrations',
  summary: 'Switch to the prepared webhook secret',
  description: [
    'Ends a rotation that `rotate-secret` prepared: the next secret, which you name, replaces the current one. `X-Service-Signature` switches to it immediately. During the overlap, `webhook-signature` also has a signature with the replaced secret. At most four previous secrets are stored.',
    'If the answer is lost, call again: once no other secret is prepared, the current one stays if you name it, and an `overlapSeconds` of 0 ends all overlaps. Like every change of settings, this ends `failed` and `busy`, and sends pending events.',
  ].join('\n\n'),
  requestHeaders: ['If-Match'],
  body: {
    schema: secretSwitch,
    examples: {
      usual: { summary: 'With an overlap of 24 hours', value: { webhookSecret } },
      leaked: {
        summary: 'The old secret has leaked',
        value: { webhookSecret, overlapSeconds: 0 },
      },
    },
  },
  answers: [
    {
      status: 200,
      description: 'The integration, whose next secret is now its webhook secret.',
      schema: integrationResource,
      headers: ['ETag'],
      recorded: { usual: 'With an overlap', leaked: 'Without a previous secret' },
    },
  ],
  refusals: ['not-found', 'conflict', 'precondition-failed'],
} as const satisfies Route;

export const createHandler = writeHandler(route, 'integration.secret_rotated');
