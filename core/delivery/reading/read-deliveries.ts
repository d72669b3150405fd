import { EVENT_ID } from '../../event/event.ts';
import type { IntegrationKey, IntegrationReader } from '../../integration/integration.ts';
import { buildGetIntegration } from '../../integration/read-integration.ts';
import { Refusal } from '../../refusal.ts';
import { type Attempt, endOf } from '../attempt.ts';
import type { Cursor } from '../delivery-log.ts';
import type {
  DeliveryFilter,
  DeliveryLogReader,
  DeliveryPage,
  LoggedDelivery,
} from '../delivery-log-reader.ts';
import type { StoredState } from '../pending/pending-events.ts';
import type { PendingCount, PendingPage, PendingView } from '../pending/pending-view.ts';

export interface DeliveryDetails {
  readonly delivery: LoggedDelivery;
  readonly isPending: boolean;
  readonly isSetAside: boolean;
  /** Undefined when the log no longer has the body. */
  readonly body: string | undefined;
  readonly attempts: readonly Attempt[];
}

export type GetDelivery = (of: IntegrationKey & { eventId: string }) => Promise<DeliveryDetails>;

/** A delivery with its body and its attempts. Throws `not-found`. */
export const buildGetDelivery = (ports: {
  integrations: Pick<IntegrationReader, 'find'>;
  deliveryLogReader: Pick<DeliveryLogReader, 'find' | 'bodyOf' | 'attemptsOf'>;
  pending: Pick<PendingView, 'isStored'>;
}): GetDelivery => {
  const getIntegration = buildGetIntegration(ports);
  return async ({ account, id, eventId }) => {
    await getIntegration(account, id);
    const delivery = EVENT_ID.test(eventId)
      ? await ports.deliveryLogReader.find(id, eventId)
      : undefined;
    if (delivery === undefined) throw new Refusal('not-found', 'The delivery does not exist.');
    const [isPending, isSetAside, body, attempts] = await Promise.all([
      ports.pending.isStored(delivery, 'pending'),
      ports.pending.isStored(delivery, 'set-aside'),
      ports.deliveryLogReader.bodyOf(delivery),
      ports.deliveryLogReader.attemptsOf(delivery),
    ]);
    return { delivery: withAttempts(delivery, attempts), isPending, isSetAside, body, attempts };
  };
};

/** Listing and attempts are different items: the listing may lack an attempt that was read. */
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

export type ListDeliveries = (
  of: IntegrationKey,
  page: { filter: DeliveryFilter; limit: number; after?: Cursor | undefined },
) => Promise<DeliveryPage>;

/** A page of an integration's delivery log, newest first. Throws `not-found`. */
export const buildListDeliveries = (ports: {
  integrations: Pick<IntegrationReader, 'find'>;
  deliveryLogReader: Pick<DeliveryLogReader, 'newest'>;
}): ListDeliveries => {
  const getIntegration = buildGetIntegration(ports);
  return async ({ account, id }, page) => {
    await getIntegration(account, id);
    return ports.deliveryLogReader.newest(id, page);
  };
};

const COUNTED_UP_TO = 1_000;

export type ListPendingEvents = (
  of: IntegrationKey,
  page: {
    state: StoredState;
    limit: number;
    after?: Cursor | undefined;
    /** Whether a first page of several counts the events, which reads them. */
    isCounted: boolean;
  },
) => Promise<PendingPage & { readonly total?: PendingCount }>;

/** Throws `not-found`. */
export const buildListPendingEvents = (ports: {
  integrations: Pick<IntegrationReader, 'find'>;
  pending: Pick<PendingView, 'page' | 'count'>;
}): ListPendingEvents => {
  const getIntegration = buildGetIntegration(ports);
  return async ({ account, id }, { state, limit, after, isCounted }) => {
    await getIntegration(account, id);
    const stored = { integration: id, state };
    const page = await ports.pending.page(stored, { limit, after });
    if (!isCounted || after !== undefined || page.next === undefined) return page;
    return { ...page, total: await ports.pending.count(stored, COUNTED_UP_TO) };
  };
};
