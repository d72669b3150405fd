import {
  type IntegrationKey,
  type IntegrationReader,
  isStopped,
} from '../../integration/integration.ts';
import { buildGetActiveIntegration } from '../../integration/read-integration.ts';
import type { ReplayRequests } from '../pending/replay-requests.ts';
import type { PendingRetry, RetryPending } from './retry-pending.ts';

/** `woken`: deliveries go on, and all events that wait are replayed. */
export type RetryNowResult = PendingRetry | { readonly kind: 'no-trouble' | 'woken' };

export type RetryNow = (integration: IntegrationKey) => Promise<RetryNowResult>;

/**
 * As the hourly retry, which is still made when due. Throws `not-found`, `integration-inactive`.
 */
export const buildRetryNow = (ports: {
  integrations: Pick<IntegrationReader, 'find'>;
  retryPending: RetryPending;
  replays: ReplayRequests;
}): RetryNow => {
  const getActiveIntegration = buildGetActiveIntegration(ports);
  return async ({ account, id }) => {
    const integration = await getActiveIntegration(account, id);
    if (!integration.trouble) return { kind: 'no-trouble' };
    if (isStopped(integration)) return ports.retryPending(integration, 'manual');
    await ports.replays.request({ account, id });
    return { kind: 'woken' };
  };
};
