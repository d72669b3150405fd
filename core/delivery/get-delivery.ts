import { createGetIntegration } from '../integrations/get-integration.ts';
import type { IntegrationStore } from '../integrations/integration.ts';
import { Refusal } from '../refusal.ts';
import type { Attempt } from './attempt.ts';
import type { DeliveryHistory, LoggedDelivery } from './delivery-log.ts';
import type { PendingView } from './pending-view.ts';
import type { DeliveryDetails } from './present-delivery.ts';

export const EVENT_ID = /^[A-Za-z0-9_-]{1,64}$/;

export type GetDelivery = (of: {
  account: string;
  /** The integration's. */
  id: string;
  eventId: string;
}) => Promise<DeliveryDetails>;

/** All there is to know of one delivery. Throws `not-found`. */
export const createGetDelivery = (ports: {
  integrations: IntegrationStore;
  history: Pick<DeliveryHistory, 'find' | 'bodyOf' | 'attemptsOf'>;
  pending: Pick<PendingView, 'isPending'>;
}): GetDelivery => {
  const getIntegration = createGetIntegration(ports);
  return async ({ account, id, eventId }) => {
    await getIntegration(account, id);
    const delivery = EVENT_ID.test(eventId) ? await ports.history.find(id, eventId) : undefined;
    if (delivery === undefined) throw new Refusal('not-found', 'There is no such delivery.');
    const [isPending, body, attempts] = await Promise.all([
      ports.pending.isPending(delivery),
      ports.history.bodyOf(delivery),
      ports.history.attemptsOf(id, eventId),
    ]);
    return { delivery: withAttempts(delivery, attempts), isPending, body, attempts };
  };
};

/** An attempt is recorded beside the entry of its delivery: one may be read that the other lacks yet. */
const withAttempts = (delivery: LoggedDelivery, attempts: readonly Attempt[]): LoggedDelivery => {
  const confirmed = attempts.find(({ outcome }) => outcome.class === 'delivered');
  const deliveredAt = delivery.deliveredAt ?? (confirmed && endOf(confirmed));
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

const endOf = ({ startedAt, durationMs }: Attempt): string =>
  new Date(startedAt.getTime() + durationMs).toISOString();
