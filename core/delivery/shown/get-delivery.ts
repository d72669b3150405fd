import { EVENT_ID } from '../../event/event.ts';
import type { IntegrationStore } from '../../integration/integration.ts';
import { buildGetIntegration } from '../../integration/read-integration.ts';
import { Refusal } from '../../refusal.ts';
import { type Attempt, endOf } from '../attempt.ts';
import type { DeliveryLogReader, LoggedDelivery } from '../delivery-log.ts';
import type { DeliveryDetails } from './delivery-resource.ts';
import type { PendingView } from './list-pending-events.ts';

export type GetDelivery = (of: {
  account: string;
  /** The integration's id. */
  id: string;
  eventId: string;
}) => Promise<DeliveryDetails>;

/** A delivery with its body and its attempts. Throws `not-found`. */
export const buildGetDelivery = (ports: {
  integrations: IntegrationStore;
  log: Pick<DeliveryLogReader, 'find' | 'bodyOf' | 'attemptsOf'>;
  pending: Pick<PendingView, 'isKept'>;
}): GetDelivery => {
  const getIntegration = buildGetIntegration(ports);
  return async ({ account, id, eventId }) => {
    await getIntegration(account, id);
    const delivery = EVENT_ID.test(eventId) ? await ports.log.find(id, eventId) : undefined;
    if (delivery === undefined) throw new Refusal('not-found', 'There is no such delivery.');
    const [isPending, isSetAside, body, attempts] = await Promise.all([
      ports.pending.isKept(delivery, 'pending'),
      ports.pending.isKept(delivery, 'set-aside'),
      ports.log.bodyOf(delivery),
      ports.log.attemptsOf(delivery),
    ]);
    return { delivery: withAttempts(delivery, attempts), isPending, isSetAside, body, attempts };
  };
};

/**
 * Adds the attempts to the listing of their delivery. Attempt and listing are two items: the
 * listing may not show an attempt yet that was already read.
 */
const withAttempts = (delivery: LoggedDelivery, attempts: readonly Attempt[]): LoggedDelivery => {
  const confirmed = attempts.find(({ outcome }) => outcome.class === 'delivered');
  const deliveredAt = delivery.deliveredAt ?? (confirmed && endOf(confirmed).toISOString());
  const latest = [delivery.latestAttempt, attempts.at(-1)]
    .filter((attempt) => attempt !== undefined)
    .toSorted((one, other) => one.startedAt.getTime() - other.startedAt.getTime())
    .at(-1);
  return {
    ...delivery,
    ...(deliveredAt !== undefined && { deliveredAt }),
    ...(latest !== undefined && { latestAttempt: latest }),
  };
};
