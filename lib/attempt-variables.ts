import packageJson from '../package.json' with { type: 'json' };
import { contract } from './config.ts';
import type { Surroundings } from './surroundings.ts';

/** Of every function that writes the delivery log. */
export const deliveryLogVariables = ({ state }: Pick<Surroundings, 'state'>) => ({
  DELIVERY_LOG_TABLE: state.deliveryLog.tableName,
  DELIVERY_LOG_RETENTION_DAYS: `${contract.deliveryLogRetentionDays}`,
});

/** Of every function that makes attempts. */
export const attemptVariables = ({
  settings,
  state,
}: Pick<Surroundings, 'settings' | 'state'>) => ({
  ...deliveryLogVariables({ state }),
  CONNECT_TIMEOUT_MS: `${settings.attempt.connectTimeoutMs}`,
  RESPONSE_TIMEOUT_MS: `${settings.attempt.responseTimeoutMs}`,
  SERVICE_VERSION: packageJson.version,
  ALLOW_LOOPBACK: `${settings.allowLoopback}` as const,
});
