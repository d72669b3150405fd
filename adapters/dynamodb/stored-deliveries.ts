import type { Attempt, PostResult } from '../../core/delivery/attempt.ts';
import type { LoggedDelivery } from '../../core/delivery/delivery-log.ts';
import { inflated } from './deflated-body.ts';
import type { DeliveryItem, StoredAttempt } from './delivery-log-items.ts';

export const deliveryOf = (item: DeliveryItem): LoggedDelivery => {
  const integration = item.partition.slice(0, item.partition.lastIndexOf('#'));
  const separator = item.entry.lastIndexOf('#');
  const occurredAt = item.occurredAt ?? item.entry.slice(0, separator);
  const event = { id: item.entry.slice(separator + 1), type: item.type, occurredAt };
  const owner = { account: item.account, integration, event };
  const latest = item.latestAttempt ?? item.firstAttempt;
  return {
    ...owner,
    ...(item.deliveredAt !== undefined && { deliveredAt: item.deliveredAt }),
    ...(latest && { latestAttempt: attemptFrom({ ...latest, response: undefined }, owner) }),
  };
};

export const bodyIn = ({ deflated: bytes }: DeliveryItem): string | undefined =>
  bytes && inflated(bytes);

/** The attempt, of the delivery that `owner` identifies. */
export const attemptFrom = (
  stored: StoredAttempt,
  { account, integration, event }: Pick<Attempt, 'account' | 'integration' | 'event'>,
): Attempt => ({
  account,
  integration,
  event,
  number: stored.number,
  trigger: stored.trigger,
  startedAt: new Date(stored.startedAt),
  durationMs: stored.durationMs,
  outcome: { class: stored.outcome, result: resultOf(stored) },
  ...(stored.nextAttemptAt !== undefined && { nextAttemptAt: new Date(stored.nextAttemptAt) }),
});

const resultOf = ({ statusCode, reason, code, response = '' }: StoredAttempt): PostResult => {
  if (statusCode !== undefined) return { kind: 'answered', statusCode, responseStart: response };
  if (reason === undefined) throw new Error('an attempt has neither a status nor a reason');
  return { kind: 'unanswered', reason, ...(code !== undefined && { code }) };
};
