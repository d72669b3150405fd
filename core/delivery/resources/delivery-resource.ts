import * as z from 'zod';
import { integrationPath } from '../../integration/integration-resource.ts';
import { presentReason, reasonMembers } from '../../integration/reason-resource.ts';
import { collectionOf } from '../../json-ld/collection.ts';
import { instants, links, lists, type Terms, terms } from '../../json-ld/vocabulary.ts';
import { adviceFor } from '../advice.ts';
import { type Attempt, OUTCOMES, type PostResult, TRIGGERS } from '../attempt.ts';
import { deliveryId } from '../delivery.ts';
import { type LoggedDelivery, outcomeOf } from '../delivery-log-reader.ts';
import type { DeliveryDetails } from '../reading/read-deliveries.ts';

/** Attempts shown with response: Lambda answers at most 6 MB, and a body may have 256 KiB. */
const RESPONSES_SHOWN = 100;

const instant = z.iso.datetime();
export const outcome = z.enum(OUTCOMES);

const faultCode = z.string().optional().meta({
  description: 'The error code of the system, such as `ECONNREFUSED`, if there is one.',
});

export const attemptResource = z
  .strictObject({
    '@type': z.literal('Attempt'),
    number: z.int().min(1).meta({ description: 'Counts the attempts of a delivery, from 1.' }),
    trigger: z.enum(TRIGGERS).meta({
      description:
        'Why it was sent: the event itself, a retry after a transient outcome (`backoff`), the hourly retry, a replay of pending events, a call of the API (`manual`), or a test.',
    }),
    startedAt: instant,
    durationMs: z.int().min(0).meta({ description: 'Time to the response or the failure.' }),
    outcome,
    statusCode: z
      .int()
      .optional()
      .meta({ description: 'The status code of the response, if there was one.' }),
    location: z.string().optional().meta({
      description: 'Host and path that a redirect (`3xx`) points to, without its query.',
    }),
    response: z
      .string()
      .optional()
      .meta({
        description: `The first KiB of the response’s body. Shown for the latest ${RESPONSES_SHOWN} attempts of one delivery, not in lists.`,
      }),
    ...reasonMembers,
    code: faultCode,
    explanation: z.string().optional().meta({
      description:
        'Path of the page that says what the result means and what to do. Absent if the attempt was confirmed.',
    }),
    nextAttemptAt: instant
      .optional()
      .meta({ description: 'When the next attempt was planned, if one was.' }),
  })
  .meta({ id: 'Attempt', description: 'One POST of a delivery to the endpoint.' });

export const deliveryResource = z
  .strictObject({
    '@context': z.literal('/contexts/Delivery.jsonld'),
    '@type': z.literal('Delivery'),
    id: z.string().meta({
      description:
        'The path that the API is served at, and the `id` in the body that the endpoint receives.',
    }),
    integration: z
      .string()
      .meta({ description: 'Path of the integration: the `webHook` of its body.' }),
    eventType: z.string().meta({ description: 'The `action` of its body.' }),
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
        'Whether it is stored until the integration can take it, or until its next attempt. Absent if unknown.',
    }),
    isSetAside: z.boolean().optional().meta({
      description:
        'Whether it is set aside: stored, and not sent again until you resend or recover it, because the event is at fault. Absent if unknown.',
    }),
    latestAttempt: attemptResource.optional(),
  })
  .meta({ id: 'Delivery', description: 'One event for one integration.' });

export const deliveryDetailsResource = z
  .strictObject({
    ...deliveryResource.shape,
    isPending: z.boolean().meta({
      description:
        'Whether it is stored until the integration can take it, or until its next attempt.',
    }),
    isSetAside: z.boolean().meta({
      description:
        'Whether it is set aside: stored, and not sent again until you resend or recover it, because the event is at fault.',
    }),
    body: z.string().optional().meta({
      description: 'The body as it is sent, byte for byte. Absent once it is no longer stored.',
    }),
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
  ...terms('detail', 'code', 'location', 'response'),
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
  const told = result.kind === 'answered' ? shownAnswer(result) : whyUnanswered(result);
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

const shownAnswer = ({ statusCode, location }: Extract<PostResult, { kind: 'answered' }>) => ({
  statusCode,
  ...(location !== undefined && { location }),
});

/** With the system's own code, if there is one. */
const whyUnanswered = ({ reason, code }: Extract<PostResult, { kind: 'unanswered' }>) => ({
  ...presentReason(reason),
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
