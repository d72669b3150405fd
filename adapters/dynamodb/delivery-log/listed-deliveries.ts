import * as z from 'zod';
import type { Attempt, OutcomeClass, PostResult } from '../../../core/delivery/attempt.ts';
import type { DeliveryFilter, LoggedDelivery } from '../../../core/delivery/delivery-log-reader.ts';
import { headSchema } from '../../../core/delivery/delivery-queue.ts';
import type { EventType } from '../../../core/event/event-types.ts';
import { inflated } from '../table/stored-deliveries.ts';
import { type DeliveryItem, occurredAtOf, type StoredAttempt } from './delivery-log-items.ts';
import type { Condition } from './delivery-log-queries.ts';

const DELIVERED: Condition = { text: 'attribute_exists(deliveredAt)' };

const NOT_DELIVERED: Condition = { text: 'attribute_not_exists(deliveredAt)' };

/** Goes by the trigger of an attempt: a delivery without an attempt counts as no test. */
const IS_NO_TEST: Condition = {
  text: `(attribute_not_exists(firstAttempt) OR firstAttempt.#trigger <> :test)
    AND (attribute_not_exists(latestAttempt) OR latestAttempt.#trigger <> :test)`,
  names: { '#trigger': 'trigger' },
  values: { ':test': 'test' },
};

const latestOutcomeIs = (outcome: OutcomeClass): Condition => ({
  text: `(latestAttempt.#outcome = :outcome
    OR (attribute_not_exists(latestAttempt) AND firstAttempt.#outcome = :outcome))`,
  names: { '#outcome': 'outcome' },
  values: { ':outcome': outcome },
});

const eventTypeIs = (type: EventType): Condition => ({
  text: '#type = :type',
  names: { '#type': 'type' },
  values: { ':type': type },
});

/** The conditions of a filter, except its times, which are conditions on the key. */
export const conditionsOf = ({
  isDelivered,
  outcome,
  eventType,
}: DeliveryFilter): readonly Condition[] => [
  ...(isDelivered === true || outcome === 'delivered' ? [DELIVERED] : []),
  ...(isDelivered === false ? [NOT_DELIVERED, IS_NO_TEST] : []),
  ...(outcome !== undefined && outcome !== 'delivered'
    ? [NOT_DELIVERED, latestOutcomeIs(outcome)]
    : []),
  ...(eventType === undefined ? [] : [eventTypeIs(eventType)]),
];

/** Undefined for an item that is no delivery's: one that cannot be read hides no other. */
export const deliveryOf = (item: DeliveryItem): LoggedDelivery | undefined => {
  const integration = item.partition.slice(0, item.partition.lastIndexOf('#'));
  const separator = item.entry.lastIndexOf('#');
  const id = item.entry.slice(separator + 1);
  const event = { id, type: item.type, occurredAt: occurredAtOf(item) };
  if (!eventSchema.safeParse(event).success) return undefined;
  const owner = { account: item.account, integration, event };
  const latest = item.latestAttempt ?? item.firstAttempt;
  const [latestAttempt] = latest ? attemptsFrom([{ ...latest, response: undefined }], owner) : [];
  return {
    ...owner,
    ...(item.deliveredAt !== undefined && { deliveredAt: item.deliveredAt }),
    ...(latestAttempt && { latestAttempt }),
  };
};

const eventSchema = headSchema.shape.event;

/** Undefined if there is none, or if it cannot be read. */
export const bodyIn = ({ deflated: bytes }: DeliveryItem): string | undefined => {
  try {
    return bytes && inflated(bytes);
  } catch {
    return undefined;
  }
};

/** Those that can be read, of the delivery that `owner` identifies. */
export const attemptsFrom = (
  all: readonly StoredAttempt[],
  { account, integration, event }: Pick<Attempt, 'account' | 'integration' | 'event'>,
): readonly Attempt[] =>
  all.flatMap((stored) => {
    const result = resultOf(stored);
    if (result === undefined || !instantSchema.safeParse(stored.startedAt).success) return [];
    const { number, trigger, startedAt, durationMs, nextAttemptAt } = stored;
    return {
      ...{ account, integration, event, number, trigger, durationMs },
      startedAt: new Date(startedAt),
      outcome: { class: stored.outcome, result },
      ...(nextAttemptAt !== undefined && { nextAttemptAt: new Date(nextAttemptAt) }),
    };
  });

const instantSchema = z.iso.datetime();

const resultOf = ({
  statusCode,
  reason,
  code,
  location,
  response = '',
}: StoredAttempt): PostResult | undefined => {
  if (statusCode !== undefined) {
    return { kind: 'answered', statusCode, location, responseStart: response };
  }
  if (reason === undefined) return undefined;
  return { kind: 'unanswered', reason, ...(code !== undefined && { code }) };
};
