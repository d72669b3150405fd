import { Refusal } from '../refusal.ts';
import type { Integration, IntegrationStore } from './integration.ts';

export const INTEGRATION_ID = /^[0-9A-Za-z]{12}$/;

/** Throws `not-found` alike for an unknown id and another account's: existence does not leak. */
export type GetIntegration = (account: string, id: string) => Promise<Integration>;

export const buildGetIntegration =
  (ports: { integrations: IntegrationStore }): GetIntegration =>
  async (account, id) => {
    const integration = INTEGRATION_ID.test(id)
      ? await ports.integrations.find(account, id)
      : undefined;
    if (integration === undefined) throw new Refusal('not-found', 'There is no such integration.');
    return integration;
  };

/** Throws `not-found`, and `integration-inactive` for an integration that its customer has switched off. */
export const buildGetActiveIntegration = (ports: {
  integrations: IntegrationStore;
}): GetIntegration => {
  const getIntegration = buildGetIntegration(ports);
  return async (account, id) => {
    const integration = await getIntegration(account, id);
    if (integration.active) return integration;
    throw new Refusal(
      'integration-inactive',
      'The integration is inactive, so nothing is sent: set `active` to true first.',
    );
  };
};
