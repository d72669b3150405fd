import packageJson from '../../package.json' with { type: 'json' };
import { backoffIn, limits } from '../limits.ts';
import { keyPermission, onTable, toQueue } from './permissions.ts';
import type { ServiceParts } from './service-parts.ts';

/**
 * What several functions can do: the environment variables and the permissions that it takes.
 * `lambdas/runtime/environment.ts` declares the variables. A function that signs opens secrets, a
 * function that writes settings seals them, and no function does both.
 */

type Parts = Pick<ServiceParts, 'settings' | 'state'>;

export const openSecrets = (parts: Parts) => ({
  environment: secretsEnvironment(parts),
  permissions: [
    keyPermission(parts, 'key-pair', ['kms:Decrypt']),
    onTable(parts.state.keyPairs, 'GetItem'),
  ],
});

export const sealSecrets = (parts: Parts) => ({
  environment: { ...secretsEnvironment(parts), KEY_PAIR_DAYS: `${limits.keyPairDays}` },
  permissions: [
    keyPermission(parts, 'key-pair', ['kms:GenerateDataKeyPairWithoutPlaintext']),
    // An insertion cannot replace a pair, as a put could.
    onTable(parts.state.keyPairs, 'PartiQLInsert', 'Query'),
  ],
});

const secretsEnvironment = ({ settings, state }: Parts) => ({
  KEY_PAIRS_TABLE: state.keyPairs.tableName,
  SECRETS_KEY_ARN: state.secretsKey.keyArn,
  STAGE: settings.stage,
});

/** Check the address of an endpoint. */
export const guardAddresses = ({ settings }: Parts) => ({
  environment: { ALLOW_LOOPBACK: `${settings.allowLoopback}` as const },
});

/** Begin and end an integration's trouble: with the hourly schedule, and the request for a replay. */
export const changeTrouble = ({ state, replays, schedules }: ServiceParts) => ({
  environment: {
    ...schedules.variables,
    INTEGRATIONS_TABLE: state.integrations.tableName,
    REPLAY_QUEUE_URL: replays.queue.queueUrl,
  },
  permissions: [
    toQueue(replays.queue),
    ...schedules.createPermissions,
    ...schedules.deletePermissions,
  ],
});

/** Make attempts, log them, and begin or end an integration's trouble. */
export const makeAttempts = (parts: ServiceParts) => {
  const { settings, state } = parts;
  const [opening, trouble] = [openSecrets(parts), changeTrouble(parts)];
  return {
    environment: {
      ...guardAddresses(parts).environment,
      ...opening.environment,
      ...trouble.environment,
      CONNECT_TIMEOUT_MS: `${limits.attempt.connectTimeoutMs}`,
      RESPONSE_TIMEOUT_MS: `${limits.attempt.responseTimeoutMs}`,
      SERVICE_VERSION: packageJson.version,
      DELIVERY_LOG_TABLE: state.deliveryLog.tableName,
      DELIVERY_LOG_DEADLINE_MS: `${settings.deliveryLogDeadlineMs}`,
      PENDING_EVENTS_TABLE: state.pendingEvents.tableName,
      FAILED_AFTER: `${limits.failedAfter}`,
      SEND_TRACEPARENT: `${settings.sendTraceparent}` as const,
      BACKOFF_WINDOW_MS: `${backoffIn(settings).windowMs}`,
    },
    permissions: [
      ...opening.permissions,
      ...trouble.permissions,
      // Query finds out whether an endpoint that refuses an event confirms others. PutItem writes the
      // items that a batch left undone.
      onTable(
        state.deliveryLog,
        'GetItem',
        'Query',
        'BatchWriteItem',
        'PartiQLInsert',
        'PutItem',
        'UpdateItem',
      ),
    ],
  };
};

/** Retry an integration with some of its pending events, hourly or now. */
export const retryIntegrations = (parts: ServiceParts) => {
  const { environment, permissions } = makeAttempts(parts);
  const { integrations, pendingEvents } = parts.state;
  return {
    environment,
    permissions: [
      ...permissions,
      onTable(integrations, 'GetItem', 'UpdateItem'),
      onTable(pendingEvents, 'GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'),
    ],
  };
};

/** Show accounts. */
export const showAccounts = ({ settings }: Pick<ServiceParts, 'settings'>) => ({
  environment: { MAIL_ENABLED: `${settings.mailFrom !== undefined}` as const },
});
