import * as z from 'zod';
import { EVENT_TYPES } from '../../event/event-types.ts';
import { integrationPath } from '../../integration/integration-resource.ts';
import { collectionOf } from '../../json-ld/collection.ts';
import { instants, links, lists, type Terms, terms } from '../../json-ld/vocabulary.ts';
import { adviceFor } from '../advice.ts';
import { type Attempt, OUTCOMES, type PostResult, REASONS, TRIGGERS } from '../attempt.ts';
import { deliveryId } from '../delivery.ts';
import { type LoggedDelivery, outcomeOf } from '../delivery-log-reader.ts';
import type { DeliveryDetails } from '../reading/read-deliveries.ts';

/** Attempts shown with response: Lambda answers at most 6 MB, and a body may have 256 KiB. */
const RESPONSES_SHOWN = 100;

const instant = z.iso.datetime();
export const outcome = z.enum(OUTCOMES);

const faultCode = z.string().optional().meta({
  description: 'The system’s own word for the reason, such as `ECONNREFUSED`, where there is one.',
});

export const attemptResource = z
  .strictObject({
    '@type': z.literal('Attempt'),
    number: z.int().min(1).meta({ description: 'Counts the attempts of a delivery, from 1.' }),
    trigger: z.enum(TRIGGERS).meta({
      description:
        'What made us send: the event itself, a retry after a transient failure (`backoff`), the retry of every hour, the replay of what was pending, a call of the API (`manual`), or a test.',
    }),
    startedAt: instant,
    durationMs: z.int().min(0).meta({ description: 'Until the response or the failure.' }),
    outcome,
    statusCode: z.int().optional().meta({ description: 'Of the response, where one arrived.' }),
    response: z
      .string()
      .optional()
      .meta({
        description: `The first KiB of the response’s body. Shown of the latest ${RESPONSES_SHOWN} attempts of one delivery, not in lists.`,
      }),
    reason: z.string().optional().meta({ description: 'In words, why there was no response.' }),
    code: faultCode,
    explanation: z.string().optional().meta({
      description:
        'Path of the page that says what the result means and what to do. Absent where the attempt was confirmed.',
    }),
    nextAttemptAt: instant
      .optional()
      .meta({ description: 'When it was planned to be tried again, where it was.' }),
  })
  .meta({ id: 'Attempt', description: 'One POST of a delivery to the endpoint.' });

export const deliveryResource = z
  .strictObject({
    '@context': z.literal('/contexts/Delivery.jsonld'),
    '@type': z.literal('Delivery'),
    id: z.string().meta({
      description:
        'The `id` that the endpoint receives in the body, after the path that the API is served at.',
    }),
    integration: z
      .string()
      .meta({ description: 'Path of the integration: the `webHook` of its body.' }),
    eventType: z.enum(EVENT_TYPES).meta({ description: 'The `action` of its body.' }),
    occurredAt: instant.meta({
      description: 'When the event occurred: the `timestamp` of its body, in UTC.',
    }),
    outcome: outcome.optional().meta({
      description:
        '`delivered` once an attempt was confirmed, otherwise the outcome of the latest attempt: `transient` or `fatal`. Absent before the first.',
    }),
    deliveredAt: instant.optional().meta({ description: 'When it was first confirmed.' }),
    isPending: z.boolean().optional().meta({
      description:
        'Whether it is stored: until the integration can take it, or until its next attempt. Absent where that is not looked up.',
    }),
    isSetAside: z.boolean().optional().meta({
      description:
        'Whether it is set aside: kept, and not sent again until it is resent or recovered, because the event is at fault. Absent where that is not looked up.',
    }),
    latestAttempt: attemptResource.optional(),
  })
  .meta({ id: 'Delivery', description: 'One event for one integration.' });

export const deliveryDetailsResource = z
  .strictObject({
    ...deliveryResource.shape,
    isPending: z.boolean().meta({
      description:
        'Whether it is stored: until the integration can take it, or until its next attempt.',
    }),
    isSetAside: z.boolean().meta({
      description:
        'Whether it is set aside: kept, and not sent again until it is resent or recovered, because the event is at fault.',
    }),
    body: z
      .string()
      .optional()
      .meta({ description: 'As it is sent, byte for byte. Absent once it is no longer kept.' }),
    attempts: z
      .array(attemptResource)
      .meta({ description: 'Oldest first, the latest thousand at most.' }),
  })
  .meta({ id: 'DeliveryDetails', description: 'A delivery with its body and its attempts.' });

export const deliveryCollection = collectionOf(deliveryResource, {
  id: 'DeliveryCollection',
  description: 'A page of deliveries.',
});

export type AttemptDocument = z.output<typeof attemptResource>;
export type DeliveryDocument = z.output<typeof deliveryResource>;
export type DeliveryDetailsDocument = z.output<typeof deliveryDetailsResource>;

export const attemptTerms: Terms = {
  ...terms('Attempt', 'number', 'trigger', 'durationMs', 'outcome', 'statusCode', 'reason'),
  ...terms('code', 'response'),
  ...links('explanation'),
  ...instants('startedAt', 'nextAttemptAt'),
};

export const eventOfDeliveryTerms: Terms = {
  ...terms('Delivery', 'eventType', 'outcome', 'isPending', 'isSetAside', 'body'),
  ...links('integration'),
  ...instants('occurredAt', 'deliveredAt'),
};

export const deliveryTerms: Terms = {
  ...attemptTerms,
  ...eventOfDeliveryTerms,
  ...terms('latestAttempt'),
  ...lists('attempts'),
};

export const presentAttempt = (attempt: Attempt): AttemptDocument => {
  const { class: outcomeClass, result } = attempt.outcome;
  const told =
    result.kind === 'answered' ? { statusCode: result.statusCode } : whyUnanswered(result);
  const { page } = adviceFor(told);
  return {
    '@type': 'Attempt',
    number: attempt.number,
    trigger: attempt.trigger,
    startedAt: attempt.startedAt.toISOString(),
    durationMs: attempt.durationMs,
    outcome: outcomeClass,
    ...told,
    ...(result.kind === 'answered' && { response: result.responseStart }),
    ...(outcomeClass !== 'delivered' && page && { explanation: page }),
    ...(attempt.nextAttemptAt && { nextAttemptAt: attempt.nextAttemptAt.toISOString() }),
  };
};

/** The reason in words, and the system's own code if there is one. */
const whyUnanswered = ({
  reason,
  code,
}: Extract<PostResult, { kind: 'unanswered' }>): { reason: string; code?: string } => ({
  reason: REASONS[reason],
  ...(code !== undefined && { code }),
});

const withoutResponse = ({ response: _, ...attempt }: AttemptDocument): AttemptDocument => attempt;

/** A delivery as lists show it: without its body and without the endpoint's responses. */
export const presentDelivery = (
  delivery: LoggedDelivery,
  { isPending, isSetAside }: { isPending?: boolean; isSetAside?: boolean } = {},
): DeliveryDocument => {
  const { integration, event, deliveredAt, latestAttempt } = delivery;
  const outcomeSoFar = outcomeOf(delivery);
  return {
    '@context': '/contexts/Delivery.jsonld',
    '@type': 'Delivery',
    id: deliveryId(integration, event.id),
    integration: integrationPath(integration),
    eventType: event.type,
    occurredAt: new Date(event.occurredAt).toISOString(),
    ...(outcomeSoFar && { outcome: outcomeSoFar }),
    ...(deliveredAt !== undefined && { deliveredAt }),
    ...(isPending !== undefined && { isPending }),
    ...(isSetAside !== undefined && { isSetAside }),
    ...(latestAttempt && { latestAttempt: withoutResponse(presentAttempt(latestAttempt)) }),
  };
};

export const presentDeliveryDetails = ({
  delivery,
  isPending,
  isSetAside,
  body,
  attempts,
}: DeliveryDetails): DeliveryDetailsDocument => {
  const shown = attempts.map(presentAttempt);
  return {
    ...presentDelivery(delivery),
    isPending,
    isSetAside,
    ...(body !== undefined && { body }),
    attempts: [
      ...shown.slice(0, -RESPONSES_SHOWN).map(withoutResponse),
      ...shown.slice(-RESPONSES_SHOWN),
    ],
  };
};
