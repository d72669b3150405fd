import { buildGetActiveIntegration } from '../../integration/get-integration.ts';
import type { IntegrationStore } from '../../integration/integration.ts';
import type { OldestRetry, RetryOldest } from './retry-oldest.ts';

/** `no-trouble`: the integration takes deliveries, so there is nothing to retry. */
export type RetryNowResult = OldestRetry | { readonly kind: 'no-trouble' };

export type RetryNow = (integration: { account: string; id: string }) => Promise<RetryNowResult>;

/**
 * Makes the attempt of the hourly retry now. The next hourly attempt is still made when it is due.
 * Throws `not-found` and `integration-inactive`.
 *
 * A process that dies meanwhile loses nothing, as in the hourly retry: the event is still pending
 * or was delivered, and the schedule fires again.
 */
export const buildRetryNow = (ports: {
  integrations: IntegrationStore;
  retryOldest: RetryOldest;
}): RetryNow => {
  const getActiveIntegration = buildGetActiveIntegration(ports);
  return async ({ account, id }) => {
    const integration = await getActiveIntegration(account, id);
    if (!integration.trouble) return { kind: 'no-trouble' };
    return ports.retryOldest(integration, 'manual');
  };
};
