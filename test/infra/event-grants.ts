import {
  keepsSchedules,
  opensSecrets,
  readsQueue,
  retriesPending,
  sends,
  writesDeliveryLog,
  writesLog,
} from './grants.ts';

/** Of both functions that deliver. */
const delivers = (stage: string) => ({
  ...keepsSchedules(stage),
  ...opensSecrets(stage),
  DeliveryLog: [
    'dynamodb:BatchGetItem',
    'dynamodb:PartiQLInsert',
    'dynamodb:Query',
    ...writesDeliveryLog,
  ].toSorted(),
  Integrations: ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:UpdateItem'],
  PendingEvents: [
    'dynamodb:DeleteItem',
    'dynamodb:GetItem',
    'dynamodb:PartiQLInsert',
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
  ],
  'Replays/Queue': sends,
});

/** What each function on the way of an event may do, and what invokes or logs for them. */
export const eventGrants = (stage: string) => ({
  'CountAttempts/Role': {
    'CountAttempts/Log': writesLog,
    DeliveryLog: [
      'dynamodb:DescribeStream',
      'dynamodb:GetRecords',
      'dynamodb:GetShardIterator',
      'dynamodb:ListStreams',
    ],
    'LogStream/DeadLetterQueue': sends,
    Statistics: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
  },
  'DeliverSlowly/Role': {
    ...delivers(stage),
    'DeliverSlowly/Log': writesLog,
    'SlowLane/DeadLetterQueue': sends,
    'SlowLane/Queue': [...readsQueue, ...sends],
  },
  'DeliverWebhook/Role': {
    ...delivers(stage),
    'DeliverWebhook/Log': writesLog,
    'Deliveries/DeadLetterQueue': sends,
    'Deliveries/Queue': readsQueue,
    'SlowLane/Queue': sends,
  },
  'RunReplay/Role': {
    'RunReplay/Log': writesLog,
    'Deliveries/Queue': sends,
    DeliveryLog: ['dynamodb:GetItem', 'dynamodb:Query'],
    Integrations: ['dynamodb:GetItem'],
    PendingEvents: [
      'dynamodb:BatchWriteItem',
      'dynamodb:DeleteItem',
      'dynamodb:PartiQLDelete',
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
    'Events/DeadLetterQueue': sends,
    'Events/Queue': readsQueue,
    Integrations: ['dynamodb:Query'],
    'SlowLane/Queue': sends,
  },
  ...(stage === 'prod' && {
    'Release/Role': {
      'managed:service-role/AWSCodeDeployRoleForLambdaLimited': ['everything in it'],
    },
  }),
  'ServiceApi/Api/CloudWatchRole': {
    'managed:service-role/AmazonAPIGatewayPushToCloudWatchLogs': ['everything in it'],
  },
});
