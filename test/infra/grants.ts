/** What several roles are granted alike; as `roleGrants` writes it. */

export const readsQueue = ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'];
export const writesLog = ['logs:CreateLogStream', 'logs:PutLogEvents'];

export const sends = ['sqs:SendMessage'];

export const arnOf = (service: string) =>
  `arn:<AWS::Partition>:${service}:<AWS::Region>:<AWS::AccountId>`;

/** Schedules of the stage's own group, and the role that Scheduler invokes one function with. */
export const keepsSchedules = (stage: string) => ({
  [`${arnOf('scheduler')}:schedule/integrations-${stage}/*`]: [
    'scheduler:CreateSchedule',
    'scheduler:DeleteSchedule',
  ],
  'RetrySchedules/Role': [
    'iam:PassRole if {"StringEquals":{"iam:PassedToService":"scheduler.amazonaws.com"}}',
  ],
});
