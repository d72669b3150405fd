import type { IntegrationStore } from '../integrations/integration.ts';
import type { AttemptOldest, OldestAttempt } from './attempt-oldest.ts';
import { createGetActiveIntegration } from './get-active-integration.ts';

/** `healthy`: the integration is not in trouble, so there is nothing to retry. */
export type RetryNowResult = OldestAttempt | { readonly kind: 'healthy' };

export type RetryNow = (integration: { account: string; id: string }) => Promise<RetryNowResult>;

/**
 * What the hourly retry does, now: it takes nothing from the hour that is due. Throws `not-found`
 * and `integration-inactive`.
 *
 * A process that dies within it leaves what the hourly retry leaves: the event is still pending, or
 * delivered, and the schedule fires.
 */
export const createRetryNow = (ports: {
  integrations: IntegrationStore;
  attemptOldest: AttemptOldest;
}): RetryNow => {
  const getActiveIntegration = createGetActiveIntegration(ports);
  return async ({ account, id }) => {
    const integration = await getActiveIntegration(account, id);
    if (integration.delivery.kind === 'healthy') return { kind: 'healthy' };
    return ports.attemptOldest(integration, 'manual');
  };
};
