import {
  type IntegrationKey,
  type IntegrationReader,
  isStopped,
} from '../../integration/integration.ts';
import { buildGetActiveIntegration } from '../../integration/read-integration.ts';
import type { Troubles } from '../trouble/troubles.ts';
import type { PendingRetry, RetryPending } from './retry-pending.ts';

/** `woken`: deliveries went on, and the events that waited are replayed without an attempt. */
export type RetryNowResult = PendingRetry | { readonly kind: 'no-trouble' | 'woken' };

export type RetryNow = (integration: IntegrationKey) => Promise<RetryNowResult>;

/**
 * As the hourly retry, which is still made when due. Throws `not-found`, `integration-inactive`.
 */
export const buildRetryNow = (ports: {
  integrations: Pick<IntegrationReader, 'find'>;
  retryPending: RetryPending;
  troubles: Pick<Troubles, 'wake'>;
}): RetryNow => {
  const getActiveIntegration = buildGetActiveIntegration(ports);
  const retryNow: RetryNow = async ({ account, id }) => {
    const integration = await getActiveIntegration(account, id);
    if (!integration.trouble) return { kind: 'no-trouble' };
    if (isStopped(integration)) return ports.retryPending(integration, 'manual');
    // Another process changed the integration meanwhile, if it was not woken.
    return (await ports.troubles.wake(integration)) ? { kind: 'woken' } : retryNow({ account, id });
  };
  return retryNow;
};
