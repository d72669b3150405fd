import { keepsSchedules, readsQueue, retriesPending, sends, writesLog } from './grants.ts';

/** What each function on the way of an event may do, and what invokes or logs for them. */
export const eventGrants = (stage: string) => ({
  'DeliverWebhook/Role': {
    ...keepsSchedules(stage),
    'DeliverWebhook/Log': writesLog,
    'Deliveries/DeadLetterQueue': sends,
    'Deliveries/Queue': readsQueue,
    DeliveryLog: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
    Integrations: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    PendingEvents: ['dynamodb:DeleteItem', 'dynamodb:PutItem'],
    'Replays/Queue': sends,
  },
  'RunReplay/Role': {
    'RunReplay/Log': writesLog,
    'Deliveries/Queue': sends,
    DeliveryLog: [
      'dynamodb:BatchWriteItem',
      'dynamodb:DeleteItem',
      'dynamodb:GetItem',
      'dynamodb:Query',
    ],
    Integrations: ['dynamodb:GetItem'],
    PendingEvents: [
      'dynamodb:BatchWriteItem',
      'dynamodb:DeleteItem',
      'dynamodb:GetItem',
      'dynamodb:Query',
    ],
    'Replays/DeadLetterQueue': sends,
    'Replays/Queue': [...readsQueue, ...sends],
  },
  'RetryHourly/Role': {
    ...retriesPending(stage),
    'RetryHourly/Log': writesLog,
    'Retries/DeadLetterQueue': sends,
    'Retries/Queue': readsQueue,
  },
  'RetrySchedules/Role': {
    'RetrySchedules/DeadLetterQueue': sends,
    'Retries/Queue': sends,
  },
  'RouteEvent/Role': {
    'RouteEvent/Log': writesLog,
    'Deliveries/Queue': sends,
    DeliveryLog: ['dynamodb:BatchWriteItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
    'Events/DeadLetterQueue': sends,
    'Events/Queue': readsQueue,
    Integrations: ['dynamodb:Query'],
  },
  'ServiceApi/Api/CloudWatchRole': {
    'managed:service-role/AmazonAPIGatewayPushToCloudWatchLogs': ['everything in it'],
  },
});
