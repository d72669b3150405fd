import * as z from 'zod';
import {
  createDocumentClient,
  createEventsClient,
  createQueueClient,
} from '../../../adapters/aws-sdk/aws-clients.ts';
import { DynamoDbChangeLog } from '../../../adapters/dynamodb/dynamodb-change-log.ts';
import { DynamoDbPendingView } from '../../../adapters/dynamodb/dynamodb-pending-view.ts';
import { integrationWriteIn } from '../../../adapters/dynamodb/integration-changes.ts';
import { EventBridgeChangeBus } from '../../../adapters/eventbridge/event-bridge-change-bus.ts';
import { SqsDeadLetters } from '../../../adapters/sqs/sqs-dead-letters.ts';
import { buildAnnounceChanges } from '../../../core/changes/announce-changes.ts';
import { text } from '../../runtime/environment.ts';
import { createLogger } from '../../runtime/reporting.ts';

export { createHandler } from './handler.ts';

export const environmentSchema = z.object({
  CHANGES_TABLE: text,
  EVENT_BUS_NAME: text,
  INTEGRATION_STREAM_DEAD_LETTER_QUEUE_URL: text,
  PENDING_EVENTS_TABLE: text,
});

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  return {
    writeIn: integrationWriteIn,
    announceChanges: buildAnnounceChanges({
      pending: new DynamoDbPendingView(client, environment.PENDING_EVENTS_TABLE),
      log: new DynamoDbChangeLog(client, environment.CHANGES_TABLE),
      bus: new EventBridgeChangeBus(createEventsClient(), { busName: environment.EVENT_BUS_NAME }),
    }),
    deadLetters: new SqsDeadLetters(
      createQueueClient(),
      environment.INTEGRATION_STREAM_DEAD_LETTER_QUEUE_URL,
    ),
    logger: createLogger(),
  };
};
