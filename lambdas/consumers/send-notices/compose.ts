import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import {
  createDocumentClient,
  createMailClient,
  createQueueClient,
} from '../../../adapters/aws-sdk/aws-clients.ts';
import {
  dynamoDbAccounts,
  dynamoDbUserList,
} from '../../../adapters/dynamodb/directory/accounts.ts';
import { DirectoryItems } from '../../../adapters/dynamodb/directory/directory-items.ts';
import { dynamoDbNoticeStates } from '../../../adapters/dynamodb/directory/notice-states.ts';
import { DynamoDbIntegrationReader } from '../../../adapters/dynamodb/integrations/integration-reader.ts';
import { DynamoDbPendingView } from '../../../adapters/dynamodb/pending-events/pending-view.ts';
import { SesMailer } from '../../../adapters/ses/ses-mailer.ts';
import { buildSendNotice } from '../../../core/changes/send-notice.ts';
import { composeQueueDeps } from '../../composition/queues.ts';
import { positiveInteger, text } from '../../runtime/environment.ts';

export { createHandler } from './handler.ts';

export const environmentSchema = z.object({
  STAGE: text,
  INTEGRATIONS_TABLE: text,
  PENDING_EVENTS_TABLE: text,
  DIRECTORY_TABLE: text,
  NOTICE_QUEUE_URL: text,
  NOTICE_DEAD_LETTER_QUEUE_URL: text,
  NOTICE_INTERVAL_MS: positiveInteger,
  MAIL_FROM: text,
  MAIL_CONFIGURATION_SET: text,
  API_URL: text,
  CONSOLE_URL: text.optional(),
});

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  const items = new DirectoryItems(client, environment.DIRECTORY_TABLE);
  const queueDeps = composeQueueDeps(environment.STAGE, createQueueClient(), {
    queueUrl: environment.NOTICE_QUEUE_URL,
    deadLetterQueueUrl: environment.NOTICE_DEAD_LETTER_QUEUE_URL,
    newGroupId: randomUUID,
  });
  return {
    ...queueDeps,
    sendNotice: buildSendNotice({
      integrations: new DynamoDbIntegrationReader(client, environment.INTEGRATIONS_TABLE),
      pending: new DynamoDbPendingView(client, environment.PENDING_EVENTS_TABLE),
      states: dynamoDbNoticeStates(items),
      accounts: dynamoDbAccounts(items),
      userList: dynamoDbUserList(items),
      mailer: new SesMailer(createMailClient(), {
        from: environment.MAIL_FROM,
        configurationSet: environment.MAIL_CONFIGURATION_SET,
      }),
      now: queueDeps.now,
      hourMs: environment.NOTICE_INTERVAL_MS,
      api: environment.API_URL,
      console: environment.CONSOLE_URL,
    }),
  };
};
