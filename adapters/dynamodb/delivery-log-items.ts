import type { Attempt } from '../../core/delivery/attempt.ts';
import type { LoggedDelivery } from '../../core/delivery/delivery-log.ts';
import type { PostResult } from '../../core/delivery/outcome.ts';
import type { AttemptItem, ListingItem, StoredAttempt } from './delivery-log-keys.ts';

type Owner = Pick<ListingItem, 'account' | 'integration' | 'reference'>;

export const deliveryOf = (item: ListingItem): LoggedDelivery => ({
  account: item.account,
  integration: item.integration,
  event: item.reference,
  ...(item.deliveredAt !== undefined && { deliveredAt: item.deliveredAt }),
  ...(item.latestAttempt && { latestAttempt: attemptFrom(item.latestAttempt, item) }),
});

export const attemptOf = (item: AttemptItem): Attempt =>
  attemptFrom(item, item, { responseStart: item.response });

const attemptFrom = (
  stored: StoredAttempt,
  { account, integration, reference }: Owner,
  { responseStart = '' }: { responseStart?: string | undefined } = {},
): Attempt => ({
  account,
  integration,
  event: reference,
  number: stored.number,
  trigger: stored.trigger,
  startedAt: new Date(stored.startedAt),
  durationMs: stored.durationMs,
  outcome: { class: stored.outcome, result: resultOf(stored, responseStart) },
  ...(stored.nextAttemptAt !== undefined && { nextAttemptAt: new Date(stored.nextAttemptAt) }),
});

const resultOf = (
  { statusCode, reason, code }: StoredAttempt,
  responseStart: string,
): PostResult => {
  if (statusCode !== undefined) return { kind: 'answered', statusCode, responseStart };
  if (reason === undefined) throw new Error('an attempt has neither a status nor a reason');
  return { kind: 'unanswered', reason, ...(code !== undefined && { code }) };
};
