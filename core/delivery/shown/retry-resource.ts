import * as z from 'zod';
import type { Integration } from '../../integration/integration.ts';
import {
  integrationPath,
  integrationResource,
  statusOf,
} from '../../integration/integration-resource.ts';
import { links, type Terms, terms } from '../../json-ld/vocabulary.ts';
import type { RetryNowResult } from '../attempt/retry-now.ts';
import type { Attempt } from '../attempt.ts';
import { deliveryId } from '../delivery.ts';
import { attemptResource, attemptTerms, presentAttempt } from './delivery-resource.ts';

export const retryResource = z
  .strictObject({
    '@context': z.literal('/contexts/Retry.jsonld'),
    '@type': z.literal('Retry'),
    integration: z.string().meta({ description: 'Path of the integration.' }),
    result: z.enum(['recovered', 'still-failing', 'nothing-to-retry']).meta({
      description:
        '`recovered`: what is pending is sent, because the attempt was confirmed or, without an attempt, because the integration was not `failed` or `busy`. `still-failing`: no attempt was confirmed, and events go on waiting. `nothing-to-retry`: nothing was waiting, so no attempt was made; if it was `failed`, it is not any more, and a `busy` one still is.',
    }),
    status: integrationResource.shape.status.meta({
      description: 'Of the integration, as it is now.',
    }),
    delivery: z
      .string()
      .optional()
      .meta({ description: 'Path of the delivery that was attempted last, where one was.' }),
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
): z.output<typeof retryResource> => {
  const attempt = result.kind === 'retried' ? result.attempts.at(-1)?.made.attempt : undefined;
  return {
    '@context': '/contexts/Retry.jsonld',
    '@type': 'Retry',
    integration: integrationPath(integration.id),
    result: wordOf(result, attempt),
    status: statusOf(integration),
    ...(attempt && {
      delivery: deliveryId(integration.id, attempt.event.id),
      attempt: presentAttempt(attempt),
    }),
  };
};

const wordOf = (
  { kind }: RetryNowResult,
  attempt: Attempt | undefined,
): z.output<typeof retryResource>['result'] => {
  if (kind === 'woken') return 'recovered';
  if (attempt === undefined) return 'nothing-to-retry';
  return attempt.outcome.class === 'delivered' ? 'recovered' : 'still-failing';
};
