import { DynamoDbPendingEvents } from '../../adapters/dynamodb/pending-events/pending-events.ts';
import type { Parsed, settlingVariables } from '../runtime/environment.ts';
import type { Reporting } from '../runtime/reporting.ts';
import { reportUnreadable } from '../runtime/retry-reports.ts';
import { composeAttempting } from './attempting.ts';
import type { TroubleClients } from './troubles.ts';

/** Composes the ports of the functions that attempt pending events and end troubles. */
export const composeRetrying = (
  environment: Parsed<typeof settlingVariables>,
  clients: TroubleClients,
  reporting: Reporting,
) => ({
  ...composeAttempting(environment, clients),
  pendingEvents: new DynamoDbPendingEvents(clients.tables, environment.PENDING_EVENTS_TABLE, {
    onUnreadable: reportUnreadable(reporting),
  }),
});
