import { buildGetActiveIntegration } from '../../integration/get-integration.ts';
import type { IntegrationStore } from '../../integration/integration.ts';
import type { OldestRetry, RetryOldest } from './retry-oldest.ts';

/** `no-trouble`: the integration takes its deliveries, so there is nothing to retry. */
export type RetryNowResult = OldestRetry | { readonly kind: 'no-trouble' };

export type RetryNow = (integration: { account: string; id: string }) => Promise<RetryNowResult>;

/**
 * The attempt of the hourly retry, now; the hourly attempt is still made when it is due. Throws
 * `not-found` and `integration-inactive`.
 *
 * A process that dies within it leaves what the hourly retry leaves: the event is still pending, or
 * delivered, and the schedule fires.
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
