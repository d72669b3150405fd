import packageJson from '../../package.json' with { type: 'json' };
import { limits } from '../limits.ts';
import type { ServiceParts } from './service-parts.ts';

/**
 * Environment variables that several functions share. `lambdas/runtime/environment.ts` declares
 * them.
 */

type Parts = Pick<ServiceParts, 'settings' | 'state'>;

/** For functions that open or seal secrets. */
export const secretsEnvironment = ({ settings, state }: Parts) => ({
  KEY_PAIRS_TABLE: state.keyPairs.tableName,
  SECRETS_KEY_ARN: state.secretsKey.keyArn,
  STAGE: settings.stage,
});

/** For functions that seal secrets. */
export const sealingEnvironment = (parts: Parts) => ({
  ...secretsEnvironment(parts),
  KEY_PAIR_DAYS: `${limits.keyPairDays}`,
});

/** For functions that check the address of an endpoint. */
export const guardEnvironment = ({ settings }: Parts) => ({
  ALLOW_LOOPBACK: `${settings.allowLoopback}` as const,
});

/** For functions that show accounts. */
export const mailEnvironment = ({ settings }: Pick<ServiceParts, 'settings'>) => ({
  MAIL_ENABLED: `${settings.mailFrom !== undefined}` as const,
});

/** For functions that begin or end an integration's trouble. */
export const troubleEnvironment = ({ state, replays, schedules }: ServiceParts) => ({
  ...schedules.variables,
  INTEGRATIONS_TABLE: state.integrations.tableName,
  REPLAY_QUEUE_URL: replays.queue.queueUrl,
});

/** For functions that make attempts, and begin or end an integration's trouble. */
export const settlingEnvironment = (parts: ServiceParts) => ({
  ...guardEnvironment(parts),
  ...secretsEnvironment(parts),
  ...troubleEnvironment(parts),
  CONNECT_TIMEOUT_MS: `${parts.settings.attempt.connectTimeoutMs}`,
  RESPONSE_TIMEOUT_MS: `${parts.settings.attempt.responseTimeoutMs}`,
  SERVICE_VERSION: packageJson.version,
  DELIVERY_LOG_TABLE: parts.state.deliveryLog.tableName,
  DELIVERY_LOG_RETENTION_DAYS: `${limits.deliveryLogRetentionDays}`,
  DELIVERY_LOG_DEADLINE_MS: `${parts.settings.deliveryLogDeadlineMs}`,
  PENDING_EVENTS_TABLE: parts.state.pendingEvents.tableName,
  FAILED_AFTER: `${limits.failedAfter}`,
});
