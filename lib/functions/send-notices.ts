import { Duration, Stack } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnConfigurationSet } from 'aws-cdk-lib/aws-ses';
import type { Construct } from 'constructs';
import type * as SendNotices from '../../lambdas/deliver/send-notices/compose.ts';
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
      DELIVERY_LOG_TABLE: state.deliveryLog.tableName,
      DIRECTORY_TABLE: state.directory.tableName,
      NOTICE_QUEUE_URL: notices.queue.queueUrl,
      NOTICE_DEAD_LETTER_QUEUE_URL: notices.deadLetterQueue.queueUrl,
      NOTICE_INTERVAL_MS: `${settings.retryIntervalMs}`,
      MAIL_FROM: mailFrom,
      MAIL_CONFIGURATION_SET: configurationSet,
      CONSOLE_URL: corsOrigin,
    },
    permissions: [
      onTable(state.integrations, 'GetItem'),
      // Query counts.
      onTable(state.pendingEvents, 'Query'),
      onTable(state.deliveryLog, 'Query'),
      directoryPermission(parts, ['ACCOUNT'], 'GetItem', 'Query'),
      directoryPermission(parts, ['NOTICE'], 'GetItem', 'PutItem'),
      ...mailPermissions(scope, mailFrom, configurationSet),
      toQueue(notices.deadLetterQueue),
    ],
  }).lambda;
};

/** SES verifies an address, or the whole domain: whichever identity there is sends the mail. */
const mailPermissions = (
  scope: Construct,
  mailFrom: string,
  configurationSet: string,
): readonly Permission[] => {
  const domain = mailFrom.slice(mailFrom.indexOf('@') + 1);
  return [
    ['identity', mailFrom],
    ['identity', domain],
    ['configuration-set', configurationSet],
  ].map(([resource = '', resourceName = '']) => ({
    actions: ['ses:SendEmail'],
    resource: Stack.of(scope).formatArn({ service: 'ses', resource, resourceName }),
  }));
};
