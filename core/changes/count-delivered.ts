import {
  type DeliveryFilter,
  type DeliveryLogReader,
  isTest,
} from '../delivery/delivery-log-reader.ts';
import type { PendingCount } from '../delivery/pending/pending-view.ts';
import type { NoticeRequest } from './notice-request.ts';

/** As many as a page of the API shows. */
const DELIVERIES_OF_PAGE = 100;
const COUNTED_UP_TO = 1_000;
/** Without a bound, the events that were delivered in the minute before the failure are all read. */
const MOST_PAGES = 20;
/** The event that failed the integration occurred before it failed. */
const BEFORE_FAILURE_MS = 60_000;

/**
 * How many of the events that waited for a recovery are delivered by now, by the delivery log.
 * Nothing is counted for other requests.
 */
export const countDelivered = async (
  deliveryLogReader: Pick<DeliveryLogReader, 'newest'>,
  { kind, integration, since, at }: NoticeRequest,
): Promise<PendingCount> => {
  if (kind !== 'recovered' || since === undefined) return { count: 0, isExact: true };
  const filter: DeliveryFilter = {
    outcome: 'delivered',
    since: new Date(Date.parse(since) - BEFORE_FAILURE_MS),
    until: new Date(at),
  };
  let count = 0;
  let after: string | undefined;
  let pages = 0;
  do {
    const page = { filter, limit: DELIVERIES_OF_PAGE, after };
    const { deliveries, next } = await deliveryLogReader.newest(integration, page);
    count += deliveries.filter(
      (logged) => (logged.deliveredAt ?? '') >= since && !isTest(logged),
    ).length;
    after = next;
    pages += 1;
  } while (after !== undefined && count <= COUNTED_UP_TO && pages < MOST_PAGES);
  return {
    count: Math.min(count, COUNTED_UP_TO),
    isExact: after === undefined && count <= COUNTED_UP_TO,
  };
};
