import * as z from 'zod';
import {
  AWS_REQUEST_LIMITS,
  createClientWithDeadline,
  createDocumentClient,
  createQueueClient,
} from '../../../adapters/aws-sdk/aws-clients.ts';
import { dynamoDbAccounts } from '../../../adapters/dynamodb/directory/accounts.ts';
import { DirectoryItems } from '../../../adapters/dynamodb/directory/directory-items.ts';
import { DynamoDbSubscriptions } from '../../../adapters/dynamodb/integrations/subscriptions.ts';
import { DynamoDbFilteredCounts } from '../../../adapters/dynamodb/statistics/statistics.ts';
import { SqsDeliveryQueue } from '../../../adapters/sqs/sqs-delivery-queue.ts';
import { buildRouteEvents } from '../../../core/delivery/route-event.ts';
import { buildCountFiltered } from '../../../core/delivery/statistics/count-filtered.ts';
import { composeQueueDeps } from '../../composition/queues.ts';
import { text } from '../../runtime/environment.ts';
import { faultField } from '../../runtime/reporting.ts';

export { createHandler } from './handler.ts';

export const environmentSchema = z.object({
  STAGE: text,
  INTEGRATIONS_TABLE: text,
  DIRECTORY_TABLE: text,
  STATISTICS_TABLE: text,
  DELIVERIES_QUEUE_URL: text,
  SLOW_LANE_QUEUE_URL: text,
  EVENTS_QUEUE_URL: text,
  EVENTS_DEAD_LETTER_QUEUE_URL: text,
});

/** How long a batch, whose deliveries are enqueued, waits for its counts: as long as one call. */
const COUNTING_MS = AWS_REQUEST_LIMITS.requestHandler.requestTimeout;

const now = () => new Date();

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  const queues = createQueueClient();
  const queueDeps = composeQueueDeps(environment.STAGE, queues, {
    queueUrl: environment.EVENTS_QUEUE_URL,
    deadLetterQueueUrl: environment.EVENTS_DEAD_LETTER_QUEUE_URL,
  });
  const accounts = dynamoDbAccounts(new DirectoryItems(client, environment.DIRECTORY_TABLE));
  return {
    ...queueDeps,
    isAccount: async (name: string) => (await accounts.find(name)) !== undefined,
    countFiltered: buildCountFiltered({
      counts: new DynamoDbFilteredCounts(
        createClientWithDeadline(COUNTING_MS),
        environment.STATISTICS_TABLE,
        { deadlineMs: COUNTING_MS },
      ),
      now,
    }),
    routeEvents: buildRouteEvents({
      subscriptions: new DynamoDbSubscriptions(client, environment.INTEGRATIONS_TABLE, {
        onUnreadAtOnce: (fault) =>
          queueDeps.logger.warn('subscriptions.not_read_at_once', faultField(fault)),
      }),
      deliveries: new SqsDeliveryQueue(queues, environment.DELIVERIES_QUEUE_URL),
      slowLane: new SqsDeliveryQueue(queues, environment.SLOW_LANE_QUEUE_URL),
      now,
    }),
  };
};
