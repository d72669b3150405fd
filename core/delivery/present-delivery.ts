import { integrationPath } from '../integrations/present-integration.ts';
import type { Attempt } from './attempt.ts';
import { deliveryId } from './delivery.ts';
import { type LoggedDelivery, outcomeOf } from './delivery-log.ts';
import {
  type AttemptDocument,
  type DeliveryDetailsDocument,
  type DeliveryDocument,
  RESPONSES_SHOWN,
} from './delivery-resource.ts';
import { type PostResult, REASONS } from './outcome.ts';

/** An attempt as the API shows it, with what came back. */
export const presentAttempt = (attempt: Attempt): AttemptDocument => {
  const { result } = attempt.outcome;
  return {
    '@type': 'Attempt',
    number: attempt.number,
    trigger: attempt.trigger,
    startedAt: attempt.startedAt.toISOString(),
    durationMs: attempt.durationMs,
    outcome: attempt.outcome.class,
    ...(result.kind === 'answered'
      ? { statusCode: result.statusCode, response: result.responseStart }
      : whyUnanswered(result)),
    ...(attempt.nextAttemptAt && { nextAttemptAt: attempt.nextAttemptAt.toISOString() }),
  };
};

/** In words, and the system's own word if it had one. */
const whyUnanswered = ({
  reason,
  code,
}: Extract<PostResult, { kind: 'unanswered' }>): { reason: string; code?: string } => ({
  reason: REASONS[reason],
  ...(code !== undefined && { code }),
});

const withoutResponse = ({ response: _, ...attempt }: AttemptDocument): AttemptDocument => attempt;

/** A delivery as lists show it: without its body, and without what the endpoint answered. */
export const presentDelivery = (
  delivery: LoggedDelivery,
  { isPending }: { isPending?: boolean } = {},
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
    ...(latestAttempt && { latestAttempt: withoutResponse(presentAttempt(latestAttempt)) }),
  };
};

/** What there is to know of one delivery. */
export interface DeliveryDetails {
  readonly delivery: LoggedDelivery;
  readonly isPending: boolean;
  /** Undefined when it is no longer kept. */
  readonly body: string | undefined;
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
}

export const presentDeliveryDetails = ({
  delivery,
  isPending,
  body,
  attempts,
}: DeliveryDetails): DeliveryDetailsDocument => {
  const shown = attempts.map(presentAttempt);
  return {
    ...presentDelivery(delivery),
    isPending,
    ...(body !== undefined && { body }),
    attempts: [
      ...shown.slice(0, -RESPONSES_SHOWN).map(withoutResponse),
      ...shown.slice(-RESPONSES_SHOWN),
    ],
  };
};
