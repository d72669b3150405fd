import { subscribedTo } from '../../../core/integration/integration.ts';
import type { IntegrationResource } from '../../../core/integration/integration-resource.ts';

/** As a caller writes one. */
export const writtenIntegration = {
  '@context': '/contexts/Integration.jsonld',
  '@type': 'Integration',
  active: true,
  provider: 'webhook',
  config: { baseUrl: 'https://hooks.example.com/in' },
  settings: { actions: { 'message.received': true, 'message.failed': true } },
};

/** The same as it is read. */
export const readIntegration: IntegrationResource = {
  '@context': '/contexts/Integration.jsonld',
  '@type': 'Integration',
  id: '/integrations/8Fq2LmZ0aBcD',
  active: true,
  provider: 'webhook',
  config: { baseUrl: 'https://hooks.example.com/in', webhookSecret: '[FILTERED]' },
  settings: { actions: subscribedTo('message.received', 'message.failed') },
  status: 'active',
  isHealthy: true,
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
};

/** The same after a change that left its settings what they were. */
export const changedIntegration: IntegrationResource = {
  ...readIntegration,
  updatedAt: '2026-11-20T15:30:00.000Z',
};

/** One in the answer to the call that set or made its secret. */
export const withSecret = (
  integration: IntegrationResource,
  webhookSecret: string,
): IntegrationResource => ({
  ...integration,
  config: { ...integration.config, webhookSecret },
});

/** One with these subscriptions changed. */
export const withActions = (
  integration: IntegrationResource,
  actions: Partial<IntegrationResource['settings']['actions']>,
): IntegrationResource => ({
  ...integration,
  settings: { actions: { ...integration.settings.actions, ...actions } },
});

/** What the service made for the written one. */
export const withNewSecret = withSecret(
  readIntegration,
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwbpxhT2ZqSLM=',
);
