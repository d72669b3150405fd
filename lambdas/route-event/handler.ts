import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { DeadLetters } from '../../core/delivery/delivery-queue.ts';
import type { RoutedEvent, RouteEvent } from '../../core/delivery/route-event.ts';
import { type PlatformEvent, parseEvent, UnroutableEvent } from '../../core/event/event.ts';
import type { AccountIntegrations } from '../../core/integration/integration.ts';
import { faultField, type Logger } from '../_runtime/reporting.ts';
import { processBatch, readOnce } from '../_runtime/sqs-batch.ts';

export const createHandler =
  (deps: {
    routeEvent: RouteEvent;
    integrations: AccountIntegrations;
    deadLetters: DeadLetters;
    logger: Logger;
  }) =>
  (batch: SQSEvent): Promise<SQSBatchResponse> => {
    const listIntegrations = readOnce((account: string) => deps.integrations.listOf(account));
    return processBatch(batch, deps.logger, async ({ body, messageId }) => {
      try {
        const event = parseEvent(body);
        reportRouting(event, await deps.routeEvent(event, listIntegrations), deps.logger);
      } catch (fault) {
        if (!(fault instanceof UnroutableEvent)) throw fault;
        await deps.deadLetters.add(body, fault.message);
        deps.logger.warn('event.unroutable', { messageId, reason: fault.message });
      }
      return 'done';
    });
  };

const reportRouting = (
  { account, id, type }: PlatformEvent,
  { deliveries, listingFault }: RoutedEvent,
  logger: Logger,
): void => {
  const integrations = deliveries.map(({ integration }) => integration);
  const routed = { account, event: id, eventType: type, integrations };
  logger.info('event.routed', routed);
  if (listingFault !== undefined) {
    logger.error('delivery.not_listed', { ...routed, ...faultField(listingFault) });
  }
};
