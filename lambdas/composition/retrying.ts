import { setTimeout } from 'node:timers/promises';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DynamoDbTroubleStates } from '../../adapters/dynamodb/integrations/trouble-states.ts';
import { DynamoDbPendingEvents } from '../../adapters/dynamodb/pending-events/pending-events.ts';
import { buildTroubles } from '../../core/delivery/trouble/troubles.ts';
import type { Parsed, settlingVariables } from '../runtime/environment.ts';
import { type Reporting, reportUnreadable } from '../runtime/reporting.ts';
import { composeAttempting } from './attempting.ts';

/** Composes the ports of the functions that attempt pending events and end troubles. */
export const composeRetrying = (
  environment: Parsed<typeof settlingVariables>,
  client: DynamoDBDocumentClient,
  reporting: Reporting,
) => {
  const ports = {
    ...composeAttempting(environment, client),
    states: new DynamoDbTroubleStates(client, environment.INTEGRATIONS_TABLE),
    pendingEvents: new DynamoDbPendingEvents(client, environment.PENDING_EVENTS_TABLE, {
      onUnreadable: reportUnreadable(reporting),
    }),
    random: Math.random,
    wait: (ms: number) => setTimeout(ms),
  };
  return { ...ports, troubles: buildTroubles(ports) };
};
