import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { DeadLetters } from '../../core/events/dead-letters.ts';
import { parseEvent, UnroutableEvent } from '../../core/events/event.ts';
import type { RouteEvent } from '../../core/events/route-event.ts';
import type { AccountIntegrations } from '../../core/integrations/integration.ts';
import { readOnce } from '../../core/integrations/read-once.ts';
import type { Logger } from '../_runtime/logger.ts';
import { processBatch } from '../_runtime/sqs-batch.ts';

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
        const deliveries = await deps.routeEvent(event, listIntegrations);
        deps.logger.info('event.routed', {
          account: event.account,
          event: event.id,
          eventType: event.type,
          integrations: deliveries.map(({ integration }) => integration),
        });
      } catch (fault) {
        if (!(fault instanceof UnroutableEvent)) throw fault;
        await deps.deadLetters.add(body, fault.message);
        deps.logger.warn('event.unroutable', { messageId, reason: fault.message });
      }
      return 'done';
    });
  };
