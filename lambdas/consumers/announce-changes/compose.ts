import * as z from 'zod';
import {
  createDocumentClient,
  createEventsClient,
  createQueueClient,
} from '../../../adapters/aws-sdk/aws-clients.ts';
import { isLasting } from '../../../adapters/aws-sdk/lasting-faults.ts';
import { DynamoDbChangeLog } from '../../../adapters/dynamodb/changes/change-log.ts';
import { dynamoDbAccounts } from '../../../adapters/dynamodb/directory/accounts.ts';
import { DirectoryItems } from '../../../adapters/dynamodb/directory/directory-items.ts';
import { integrationWriteIn } from '../../../adapters/dynamodb/integrations/integration-changes.ts';
import { EventBridgeChangeBus } from '../../../adapters/eventbridge/event-bridge-change-bus.ts';
import { SqsDeadLetters } from '../../../adapters/sqs/sqs-dead-letters.ts';
import { SqsNoticeRequests } from '../../../adapters/sqs/sqs-notice-requests.ts';
import { buildAnnounceChanges } from '../../../core/changes/announce-changes.ts';
import { text } from '../../runtime/environment.ts';
import { createLogger, createMetrics } from '../../runtime/reporting.ts';

export { createHandler } from './handler.ts';

export const environmentSchema = z.object({
  CHANGES_TABLE: text,
  DIRECTORY_TABLE: text,
  EVENT_BUS_NAME: text,
  /** Absent where the stage sends no e-mails. */
  NOTICE_QUEUE_URL: text.optional(),
  INTEGRATION_STREAM_DEAD_LETTER_QUEUE_URL: text,
  STAGE: text,
});

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  const { NOTICE_QUEUE_URL } = environment;
  return {
    writeIn: integrationWriteIn,
    isLasting,
    announceChanges: buildAnnounceChanges({
      accounts: dynamoDbAccounts(new DirectoryItems(client, environment.DIRECTORY_TABLE)),
      changeLog: new DynamoDbChangeLog(client, environment.CHANGES_TABLE),
      bus: new EventBridgeChangeBus(createEventsClient(), { busName: environment.EVENT_BUS_NAME }),
      ...(NOTICE_QUEUE_URL !== undefined && {
        notices: new SqsNoticeRequests(createQueueClient(), NOTICE_QUEUE_URL),
      }),
    }),
    deadLetters: new SqsDeadLetters(
      createQueueClient(),
      environment.INTEGRATION_STREAM_DEAD_LETTER_QUEUE_URL,
    ),
    logger: createLogger(),
    metrics: createMetrics(environment.STAGE),
  };
};
