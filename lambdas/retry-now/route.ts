import { retryResource } from '../../core/delivery/shown/retry-resource.ts';
import { recoveredRetry, stillFailingRetry } from '../_openapi/examples/retry-examples.ts';
import type { Route } from '../_runtime/route.ts';

export const route = {
  method: 'POST',
  path: '/integrations/{id}/retry',
  access: 'admin',
  isCostly: true,
  operationId: 'retryNow',
  tag: 'Test and recover',
  summary: 'Retry a failed integration now',
  description:
    'What happens every hour while an integration is `failed` or `busy`, now: one attempt, of the ' +
    'oldest ten pending events with the one attempted least. If it is confirmed, the integration is `active` again and everything ' +
    'pending is sent, oldest first. If it is not, events go on waiting, and the hourly retry goes ' +
    'on. A `busy` integration that is answered with an error is `failed` now.\n\n' +
    'It answers `200` whatever the endpoint does; `result` tells. The call takes as long as the ' +
    'endpoint, up to about 17 seconds.',
  answers: [
    {
      status: 200,
      description: 'What the retry came to.',
      schema: retryResource,
      examples: {
        recovered: { summary: 'The endpoint is well again', value: recoveredRetry },
        'still-failing': { summary: 'It is not', value: stillFailingRetry },
        'nothing-to-retry': {
          summary: 'The integration was not in trouble',
          value: {
            '@context': '/contexts/Retry.jsonld',
            '@type': 'Retry',
            integration: '/integrations/8Fq2LmZ0aBcD',
            result: 'nothing-to-retry',
            status: 'active',
          },
        },
      },
    },
  ],
  refusals: ['not-found', 'integration-inactive'],
} as const satisfies Route;
