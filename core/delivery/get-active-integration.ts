import { createGetIntegration } from '../integrations/get-integration.ts';
import type { Integration, IntegrationStore } from '../integrations/integration.ts';
import { Refusal } from '../refusal.ts';

/** Throws `not-found`, and `integration-inactive` for one that its customer has switched off. */
export const createGetActiveIntegration = (ports: { integrations: IntegrationStore }) => {
  const getIntegration = createGetIntegration(ports);
  return async (account: string, id: string): Promise<Integration> => {
    const integration = await getIntegration(account, id);
    if (integration.active) return integration;
    throw new Refusal(
      'integration-inactive',
      'The integration is inactive, so nothing is sent: set `active` to true first.',
    );
  };
};
