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

/** Uses of the key of the secrets, each under the encryption context of one purpose. */
const forPurpose = (stage: string, purpose: string, ...actions: readonly string[]): string[] => {
  const condition = JSON.stringify({
    StringEquals: {
      'kms:EncryptionContext:service': 'integrations',
      'kms:EncryptionContext:stage': stage,
      'kms:EncryptionContext:purpose': purpose,
    },
  });
  return actions.map((action) => `${action} if ${condition}`);
};

/** Of what signs. */
export const opensSecrets = (stage: string) => ({
  KeyPairs: ['dynamodb:GetItem'],
  SecretsKey: forPurpose(stage, 'key-pair', 'kms:Decrypt'),
});

/** Of what writes secrets. */
export const sealsSecrets = (stage: string) => ({
  KeyPairs: ['dynamodb:PutItem', 'dynamodb:Query'],
  SecretsKey: forPurpose(stage, 'key-pair', 'kms:GenerateDataKeyPairWithoutPlaintext'),
});

/** Of what answers a repeated creation with the secret that the service made. */
export const repeatsSecrets = (stage: string): string[] =>
  forPurpose(stage, 'idempotency', 'kms:Decrypt', 'kms:Encrypt');

/** Of what retries an integration: hourly, and now. */
export const retriesPending = (stage: string) => ({
  ...keepsSchedules(stage),
  ...opensSecrets(stage),
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
