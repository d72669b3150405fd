import * as z from 'zod';
import { type Integration, statusOf } from '../../integration/integration.ts';
import { integrationPath, integrationResource } from '../../integration/integration-resource.ts';
import {
  addresses,
  freeForm,
  instants,
  links,
  type Terms,
  terms,
} from '../../json-ld/vocabulary.ts';
import type { Attempt } from '../attempt.ts';
import { deliveryId } from '../delivery.ts';
import type { RequestedRecovery } from '../recovery/request-recovery.ts';
import type { MadeAttempt } from '../sending/make-attempt.ts';
import type { RetryNowResult } from '../sending/retry-now.ts';
import { attemptResource, attemptTerms, presentAttempt } from './delivery-resource.ts';

export const webhookTestResource = z
  .strictObject({
    '@context': z.literal('/contexts/WebhookTest.jsonld'),
    '@type': z.literal('WebhookTest'),
    integration: z.string().meta({ description: 'Path of the integration.' }),
    delivery: z.string().meta({ description: 'Path of the delivery that the test made.' }),
    eventType: z.string(),
    request: z
      .strictObject({
        url: z.string(),
        headers: z.record(z.string(), z.string()).meta({
          description:
            'With the signatures, to compare with yours. The values of your own headers are `[FILTERED]`.',
        }),
        body: z.string().meta({ description: 'The signed body, byte for byte.' }),
      })
      .meta({ description: 'The POST as it was sent.' }),
    attempt: attemptResource,
  })
  .meta({
    id: 'WebhookTest',
    description: 'A sample that was sent to the endpoint, and the answer.',
  });

export const webhookTestTerms: Terms = {
  ...attemptTerms,
  ...terms('WebhookTest', 'eventType', 'request', 'attempt', 'body'),
  ...links('integration', 'delivery'),
  ...addresses('url'),
  ...freeForm('headers'),
};

/** A test as the API shows it, with the signatures and the body: they are the integrator's own. */
export const presentWebhookTest = ({
  attempt,
  request,
}: MadeAttempt): z.output<typeof webhookTestResource> => {
  const { integration, event } = attempt;
  return {
    '@context': '/contexts/WebhookTest.jsonld',
    '@type': 'WebhookTest',
    integration: integrationPath(integration),
    delivery: deliveryId(integration, event.id),
    eventType: event.type,
    request: { url: request.url, headers: { ...request.headers }, body: request.body },
    attempt: presentAttempt(attempt),
  };
};

export const retryResource = z
  .strictObject({
    '@context': z.literal('/contexts/Retry.jsonld'),
    '@type': z.literal('Retry'),
    integration: z.string().meta({ description: 'Path of the integration.' }),
    result: z.enum(['recovered', 'still-failing', 'nothing-to-retry']).meta({
      description:
        '`recovered`: pending events are sent, because an attempt was confirmed or, without an attempt, because the integration was not `failed` or `busy`. `still-failing`: no attempt was confirmed, and events stay pending. `nothing-to-retry`: no event was pending, so no attempt was made; a `failed` integration is active again, a `busy` one is still busy.',
    }),
    status: integrationResource.shape.status.meta({
      description: 'Of the integration, as it is now.',
    }),
    delivery: z
      .string()
      .optional()
      .meta({ description: 'Path of the latest delivery that was attempted, if any.' }),
    attempt: attemptResource.optional(),
  })
  .meta({ id: 'Retry', description: 'The result of a retry.' });

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

export const recoveryResource = z
  .strictObject({
    '@context': z.literal('/contexts/Recovery.jsonld'),
    '@type': z.literal('Recovery'),
    integration: z.string().meta({ description: 'Path of the integration.' }),
    since: z.iso.datetime().meta({
      description: 'Undelivered events that occurred then or later are sent again.',
    }),
    requestedAt: z.iso
      .datetime()
      .meta({ description: 'Events that occurred later are delivered as usual.' }),
    status: integrationResource.shape.status.meta({
      description: 'Of the integration, as it is now.',
    }),
  })
  .meta({ id: 'Recovery', description: 'A recovery that was requested and has begun.' });

export const recoveryTerms: Terms = {
  ...terms('Recovery', 'status'),
  ...links('integration'),
  ...instants('since', 'requestedAt'),
};

/** A recovery as the API shows it. `integration` is read after the request. */
export const presentRecovery = (
  { since, requestedAt }: RequestedRecovery,
  integration: Integration,
): z.output<typeof recoveryResource> => ({
  '@context': '/contexts/Recovery.jsonld',
  '@type': 'Recovery',
  integration: integrationPath(integration.id),
  since: since.toISOString(),
  requestedAt: requestedAt.toISOString(),
  status: statusOf(integration),
});
