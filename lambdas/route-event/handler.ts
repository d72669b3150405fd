import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { DeadLetters } from '../../core/delivery/delivery-queue.ts';
import type { RoutedEvent, RouteEvent } from '../../core/delivery/route-event.ts';
import { type PlatformEvent, parseEvent, UnroutableEvent } from '../../core/event/event.ts';
import type { AccountIntegrations } from '../../core/integration/integration.ts';
import { faultField, type Reporting } from '../_runtime/reporting.ts';
import {
  createProcessBatch,
  type Disposal,
  type QueueDeps,
  readOnce,
} from '../_runtime/sqs-batch.ts';
import { rejectingUnreadable } from '../_runtime/unreadable-messages.ts';

interface Deps extends QueueDeps {
  routeEvent: RouteEvent;
  integrations: AccountIntegrations;
  deadLetters: DeadLetters;
}

export const createHandler = (deps: Deps) => {
  const processBatch = createProcessBatch(deps);
  return (batch: SQSEvent): Promise<SQSBatchResponse> => {
    const listIntegrations = readOnce((account: string) => deps.integrations.listOf(account));
    const route = async ({ body }: SQSRecord): Promise<Disposal> => {
      const event = parseEvent(body);
      reportRouting(event, await deps.routeEvent(event, listIntegrations), deps);
      return 'done';
    };
    const process = rejectingUnreadable(route, {
      ...deps,
      Unreadable: UnroutableEvent,
      logEvent: 'event.unroutable',
    });
    return processBatch(batch, process);
  };
};

const reportRouting = (
  { account, id, type }: PlatformEvent,
  { integrations, listingFault }: RoutedEvent,
  { logger, metrics }: Reporting,
): void => {
  const routed = { account, event: id, eventType: type, integrations };
  logger.info('event.routed', routed);
  if (listingFault !== undefined) {
    logger.error('delivery.not_listed', { ...routed, ...faultField(listingFault) });
    metrics.count('LogWritesFailed');
  }
};
