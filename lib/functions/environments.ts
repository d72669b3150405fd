import packageJson from '../../package.json' with { type: 'json' };
import type { Permission } from '../constructs/service-function.ts';
import { contract } from '../contract.ts';
import { openingPermissions, secretsEnvironment } from './secret-permissions.ts';
import type { ServiceParts } from './service-parts.ts';

/**
 * Environment variables and permissions that several functions share.
 * `lambdas/runtime/environment.ts` declares the variables.
 */

type Parts = Readonly<ServiceParts>;

const deliveryLogEnvironment = ({ settings, state }: Pick<Parts, 'settings' | 'state'>) => ({
  DELIVERY_LOG_TABLE: state.deliveryLog.tableName,
  DELIVERY_LOG_RETENTION_DAYS: `${contract.deliveryLogRetentionDays}`,
  DELIVERY_LOG_DEADLINE_MS: `${settings.deliveryLogDeadlineMs}`,
});

/**
 * For functions that make attempts: GetItem finds out what the log has of a delivery, and PutItem
 * writes the items that a batch left undone.
 */
export const LOG_WRITER_ACTIONS = [
  'dynamodb:GetItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
];

/** For functions that check the address of an endpoint. */
export const guardEnvironment = ({ settings }: Pick<Parts, 'settings'>) => ({
  ALLOW_LOOPBACK: `${settings.allowLoopback}` as const,
});

export const attemptEnvironment = ({ settings, state }: Pick<Parts, 'settings' | 'state'>) => ({
  ...guardEnvironment({ settings }),
  ...deliveryLogEnvironment({ settings, state }),
  ...secretsEnvironment({ settings, state }),
  CONNECT_TIMEOUT_MS: `${settings.attempt.connectTimeoutMs}`,
  RESPONSE_TIMEOUT_MS: `${settings.attempt.responseTimeoutMs}`,
  SERVICE_VERSION: packageJson.version,
});

/** For functions that begin or end an integration's trouble. */
export const troubleEnvironment = ({ state, replays, schedules }: Parts) => ({
  ...schedules.variables,
  INTEGRATIONS_TABLE: state.integrations.tableName,
  REPLAY_QUEUE_URL: replays.queue.queueUrl,
});

type IntegrationWrite = 'dynamodb:UpdateItem' | 'dynamodb:DeleteItem';

/** For functions that end troubles; `write` is the action that writes the integration. */
export const recoveringPermissions = (
  { state, replays, schedules }: Parts,
  write: IntegrationWrite,
): readonly Permission[] => [
  { actions: ['dynamodb:GetItem', write], resource: state.integrations.tableArn },
  { actions: ['sqs:SendMessage'], resource: replays.queue.queueArn },
  ...schedules.deletePermissions,
];

/** For functions that change or delete an integration: a schedule sees the change through. */
export const changingPermissions = (
  parts: Parts,
  write: IntegrationWrite,
): readonly Permission[] => [
  ...recoveringPermissions(parts, write),
  ...parts.schedules.createPermissions,
];

/** For functions that retry an integration, hourly or now. */
export const retryEnvironment = (parts: Parts) => ({
  ...attemptEnvironment(parts),
  ...troubleEnvironment(parts),
  PENDING_EVENTS_TABLE: parts.state.pendingEvents.tableName,
  FAILED_AFTER: `${contract.failedAfter}`,
});

export const retryPermissions = (parts: Parts): readonly Permission[] => [
  ...openingPermissions(parts),
  ...changingPermissions(parts, 'dynamodb:UpdateItem'),
  {
    actions: [
      ...['dynamodb:GetItem', 'dynamodb:Query'],
      ...['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
    ],
    resource: parts.state.pendingEvents.tableArn,
  },
  { actions: LOG_WRITER_ACTIONS, resource: parts.state.deliveryLog.tableArn },
];
