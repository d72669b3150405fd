import * as z from 'zod';
import type { Integration } from '../../integration/integration.ts';
import {
  integrationPath,
  integrationResource,
  statusOf,
} from '../../integration/integration-resource.ts';
import { links, type Terms, terms } from '../../json-ld/vocabulary.ts';
import type { RetryNowResult } from '../attempt/retry-now.ts';
import { deliveryId } from '../delivery.ts';
import { attemptResource, attemptTerms, presentAttempt } from './delivery-resource.ts';

export const retryResource = z
  .strictObject({
    '@context': z.literal('/contexts/Retry.jsonld'),
    '@type': z.literal('Retry'),
    integration: z.string().meta({ description: 'Path of the integration.' }),
    result: z.enum(['recovered', 'still-failing', 'nothing-to-retry']).meta({
      description:
        '`recovered`: the attempt was confirmed, and what is pending is sent. `still-failing`: it was not, and events go on waiting. `nothing-to-retry`: nothing was waiting, so no attempt was made; if it was `failed`, it is not any more, and a `busy` one still is.',
    }),
    status: integrationResource.shape.status.meta({
      description: 'Of the integration, as it is now.',
    }),
    delivery: z
      .string()
      .optional()
      .meta({ description: 'Path of the delivery that was attempted, where one was.' }),
    attempt: attemptResource.optional(),
  })
  .meta({ id: 'Retry', description: 'What a retry came to.' });

export const retryTerms: Terms = {
  ...attemptTerms,
  ...terms('Retry', 'result', 'status', 'attempt', 'body'),
  ...links('integration', 'delivery'),
};

/** A retry as the API shows it. `integration` is read after the retry. */
export const presentRetry = (
  result: RetryNowResult,
  integration: Integration,
): z.output<typeof retryResource> => ({
  '@context': '/contexts/Retry.jsonld',
  '@type': 'Retry',
  integration: integrationPath(integration.id),
  result: wordOf(result),
  status: statusOf(integration),
  ...(result.kind === 'retried' && {
    delivery: deliveryId(integration.id, result.made.attempt.event.id),
    attempt: presentAttempt(result.made.attempt),
  }),
});

const wordOf = (result: RetryNowResult): z.output<typeof retryResource>['result'] => {
  if (result.kind !== 'retried') return 'nothing-to-retry';
  return result.made.attempt.outcome.class === 'delivered' ? 'recovered' : 'still-failing';
};
