import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { REDRIVEN } from '../../../core/delivery/delivery-queue.ts';
import type { RoutedEvents, RouteEvents } from '../../../core/delivery/route-event.ts';
import { parseEvent, UnroutableEvent } from '../../../core/event/event.ts';
import { faultField, type Logger } from '../../runtime/reporting.ts';
import { createProcessBatch, type QueueDeps } from '../runtime/sqs-batch.ts';

interface Deps extends QueueDeps {
  routeEvents: RouteEvents;
  /** Asked about accounts without integrations alone. */
  isAccount: (name: string) => Promise<boolean>;
}

export const createHandler = (deps: Deps) => {
  const processBatch = createProcessBatch(deps, 'event.unroutable', UnroutableEvent);
  return (batch: SQSEvent): Promise<SQSBatchResponse> => {
    const routing = routeRecords(batch.Records, deps);
    return processBatch(batch, async (record) => {
      const faults = await routing;
      if (faults.has(record)) throw faults.get(record);
      return 'done';
    });
  };
};

/** Routes the events of a batch together. Resolves to the faults of the records not routed. */
const routeRecords = async (
  records: readonly SQSRecord[],
  { routeEvents, ...deps }: Deps,
): Promise<ReadonlyMap<SQSRecord, unknown>> => {
  const faults = new Map<SQSRecord, unknown>();
  const received = records.flatMap((record) => {
    try {
      const wasReceivedBefore =
        Number(record.attributes.ApproximateReceiveCount) > 1 ||
        REDRIVEN in record.messageAttributes;
      return [{ record, event: parseEvent(record.body), wasReceivedBefore }];
    } catch (fault) {
      faults.set(record, fault);
      return [];
    }
  });
  const result = await routeEvents(received);
  for (const each of received) {
    if (result.faults.has(each)) faults.set(each.record, result.faults.get(each));
  }
  logRouted(result, deps.logger);
  await reportUnwanted(result, deps);
  return faults;
};

/** Counts the events that no integration wants by the reason. A failed read of an account fails none. */
const reportUnwanted = async (
  { unwanted }: RoutedEvents,
  { isAccount, logger, metrics }: Omit<Deps, 'routeEvents'>,
): Promise<void> => {
  const withoutIntegrations = unwanted.filter(({ hasIntegrations }) => !hasIntegrations);
  const asked = [...new Set(withoutIntegrations.map(({ event }) => event.account))];
  const isKnown = await Promise.all(
    asked.map((account) =>
      isAccount(account).catch((fault) => {
        logger.warn('account.not_read', { account, ...faultField(fault) });
        return true;
      }),
    ),
  );
  const accounts = asked.filter((_, at) => !isKnown[at]);
  const events = unwanted.filter(({ event }) => accounts.includes(event.account));
  metrics.count('EventsOfUnknownAccounts', events.length);
  metrics.count('EventsNotSubscribed', unwanted.length - events.length);
  if (events.length === 0) return;
  logger.warn('events.of_unknown_accounts', {
    accounts,
    events: events.map(({ event }) => event.id),
  });
};

const logRouted = ({ routed }: RoutedEvents, logger: Logger): void => {
  if (routed.length === 0) return;
  logger.info('events.routed', {
    accounts: [...new Set(routed.map(({ event }) => event.account))],
    events: routed.map(({ event }) => event.id),
    deliveries: routed.reduce((sum, { deliveries }) => sum + deliveries, 0),
  });
};
