import type { RoutedEvents } from '../../../core/delivery/route-event.ts';
import type { CountFiltered } from '../../../core/delivery/statistics/count-filtered.ts';
import { faultField, type Logger, type Reporting } from '../../runtime/reporting.ts';

export interface ReportDeps extends Reporting {
  /** Asked about accounts without integrations alone. */
  readonly isAccount: (name: string) => Promise<boolean>;
  readonly countFiltered: CountFiltered;
}

/** Counts the events that no integration wants by the reason. A failed read of an account fails none. */
export const reportUnwanted = async (
  { unwanted }: RoutedEvents,
  { isAccount, logger, metrics }: ReportDeps,
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

/** Counts what filters kept back, for its customers. A failed write fails no event. */
export const reportFiltered = async (
  { filtered }: RoutedEvents,
  { countFiltered, logger }: ReportDeps,
): Promise<void> => {
  for (const [account, fault] of await countFiltered(filtered)) {
    logger.warn('filtered_events.not_counted', { account, ...faultField(fault) });
  }
};

/** A filtered event is in no line: there is the integration, once for each of its events. */
export const logRouted = ({ routed, filtered, unfiltered }: RoutedEvents, logger: Logger): void => {
  const [unevaluated] = unfiltered;
  if (unevaluated !== undefined) {
    logger.warn('filter.not_evaluated', {
      integrations: [...new Set(unfiltered.map(({ integration }) => integration.id))],
      events: unfiltered.length,
      ...faultField(unevaluated.fault),
    });
  }
  if (routed.length === 0 && filtered.length === 0) return;
  logger.info('events.routed', {
    accounts: [
      ...new Set([...routed.map(({ event }) => event), ...filtered].map(({ account }) => account)),
    ],
    events: routed.map(({ event }) => event.id),
    deliveries: routed.reduce((sum, { deliveries }) => sum + deliveries, 0),
    ...(filtered.length > 0 && { filtered: filtered.map(({ id }) => id) }),
  });
};
