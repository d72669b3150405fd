import { Aws, Duration, Stack } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnConfigurationSet } from 'aws-cdk-lib/aws-ses';
import type { Construct } from 'constructs';
import type * as SendNotices from '../../lambdas/consumers/send-notices/compose.ts';
import { type Permission, ServiceFunction } from '../constructs/service-function.ts';
import type { WorkQueue } from '../constructs/work-queue.ts';
import { limits } from '../limits.ts';
import { directoryPermission, onTable, toQueue } from './permissions.ts';
import type { ServiceParts } from './service-parts.ts';

export const createSendNotices = (
  scope: Construct,
  parts: ServiceParts,
  notices: WorkQueue,
): LambdaFunction => {
  const { corsOrigin, settings, state } = parts;
  const { mailFrom = '' } = settings;
  // SES itself stops sending to addresses that bounce or whose owners complain.
  const configurationSet = new CfnConfigurationSet(scope, 'Mail', {
    suppressionOptions: { suppressedReasons: ['BOUNCE', 'COMPLAINT'] },
  }).ref;
  return new ServiceFunction<typeof SendNotices>(scope, 'SendNotices', {
    name: 'send-notices',
    description: 'Writes e-mails about failures to the admins of organisations',
    settings,
    timeout: Duration.millis(limits.noticeTimeoutMs),
    memoryMb: settings.memoryMb.queue,
    isReleasedAtOnce: true,
    environment: {
      STAGE: settings.stage,
      INTEGRATIONS_TABLE: state.integrations.tableName,
      PENDING_EVENTS_TABLE: state.pendingEvents.tableName,
      DIRECTORY_TABLE: state.directory.tableName,
      NOTICE_QUEUE_URL: notices.queue.queueUrl,
      NOTICE_DEAD_LETTER_QUEUE_URL: notices.deadLetterQueue.queueUrl,
      NOTICE_INTERVAL_MS: `${settings.retryIntervalMs}`,
      MAIL_FROM: mailFrom,
      MAIL_CONFIGURATION_SET: configurationSet,
      API_URL: parts.apiUrl,
      CONSOLE_URL: corsOrigin,
    },
    permissions: [
      onTable(state.integrations, 'GetItem'),
      // Query counts.
      onTable(state.pendingEvents, 'Query'),
      directoryPermission(parts, ['ACCOUNT'], 'GetItem', 'Query'),
      directoryPermission(parts, ['NOTICE'], 'GetItem', 'PutItem'),
      ...mailPermissions(scope, mailFrom, configurationSet),
      toQueue(notices.deadLetterQueue),
    ],
  }).lambda;
};

/**
 * From one address. SES asks for the identity that it verified, of the address, its domain or a parent
 * domain, and in its sandbox also for the recipient's.
 */
const mailPermissions = (
  scope: Construct,
  mailFrom: string,
  configurationSet: string,
): readonly Permission[] => {
  const actions = ['ses:SendEmail'];
  const arnOf = (resource: string, resourceName: string): string =>
    Stack.of(scope).formatArn({
      partition: Aws.PARTITION,
      region: Aws.REGION,
      account: Aws.ACCOUNT_ID,
      service: 'ses',
      resource,
      resourceName,
    });
  return [
    {
      actions,
      resource: arnOf('identity', '*'),
      conditions: { StringEquals: { 'ses:FromAddress': mailFrom } },
      acknowledgement: {
        id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*]',
        reason:
          'The condition names the address. Which identity SES checks depends on the account.',
      },
    },
    { actions, resource: arnOf('configuration-set', configurationSet) },
  ];
};
