/** What several roles are granted alike; as `roleGrants` writes it. */

export const readsQueue = [
  'sqs:ChangeMessageVisibility',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
  'sqs:ReceiveMessage',
];
export const writesLog = ['logs:CreateLogStream', 'logs:PutLogEvents'];

export const sends = ['sqs:SendMessage'];

export const writesDeliveryLog = [
  'dynamodb:BatchWriteItem',
  'dynamodb:GetItem',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
];

const arnOf = (service: string) => `arn:<AWS::Partition>:${service}:<AWS::Region>:<AWS::AccountId>`;

/** Schedules of the stage's own group. */
export const deletesSchedules = (stage: string) => ({
  [`${arnOf('scheduler')}:schedule/integrations-${stage}/*`]: ['scheduler:DeleteSchedule'],
});

/** Schedules of the stage's own group, and the role with which Scheduler sends to queues. */
export const keepsSchedules = (stage: string) => ({
  [`${arnOf('scheduler')}:schedule/integrations-${stage}/*`]: [
    'scheduler:CreateSchedule',
    'scheduler:DeleteSchedule',
  ],
  'RetrySchedules/Role': [
    'iam:PassRole if {"StringEquals":{"iam:PassedToService":"scheduler.amazonaws.com"}}',
  ],
});

/** Of what retries an integration: hourly, and now. */
export const retriesPending = (stage: string) => ({
  ...keepsSchedules(stage),
  DeliveryLog: writesDeliveryLog,
  Integrations: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
  PendingEvents: [
    'dynamodb:DeleteItem',
    'dynamodb:GetItem',
    'dynamodb:PutItem',
    'dynamodb:Query',
    'dynamodb:UpdateItem',
  ],
  'Replays/Queue': sends,
});

/** Actions on the items of table Directory whose partition keys begin so, in order. */
export const onItems = (kinds: readonly string[], ...actions: readonly string[]): string[] => {
  const keys = JSON.stringify(kinds.map((kind) => `${kind}#*`));
  return actions.map(
    (action) => `${action} if {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":${keys}}}`,
  );
};
