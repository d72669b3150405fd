import { subscribedTo } from '../../../core/integration/integration.ts';
import type { IntegrationResource } from '../../../core/integration/integration-resource.ts';

/** An integration as a caller writes it. */
export const writtenIntegration = {
  '@context': '/contexts/Integration.jsonld',
  '@type': 'Integration',
  active: true,
  provider: 'webhook',
  config: { baseUrl: 'https://hooks.example.com/in' },
  settings: { actions: { 'message.received': true, 'message.failed': true } },
};

/** `writtenIntegration` as a caller reads it. */
export const readIntegration: IntegrationResource = {
  '@context': '/contexts/Integration.jsonld',
  '@type': 'Integration',
  id: '/integrations/8Fq2LmZ0aBcD',
  active: true,
  provider: 'webhook',
  config: { baseUrl: 'https://hooks.example.com/in', webhookSecret: '[FILTERED]' },
  settings: {
    actions: subscribedTo('message.received', 'message.failed'),
    onFatalError: 'pause',
  },
  status: 'active',
  isHealthy: true,
  setAsideEvents: 0,
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
};

/** `readIntegration` after a change that left its settings as they were. */
export const changedIntegration: IntegrationResource = {
  ...readIntegration,
  updatedAt: '2026-11-20T15:30:00.000Z',
};

/** An integration in the answer to the call that set or made its secret. */
export const withSecret = (
  integration: IntegrationResource,
  webhookSecret: string,
): IntegrationResource => ({
  ...integration,
  config: { ...integration.config, webhookSecret },
});

/** An integration with the given subscriptions changed. */
export const withActions = (
  integration: IntegrationResource,
  actions: Partial<IntegrationResource['settings']['actions']>,
): IntegrationResource => ({
  ...integration,
  settings: {
    ...integration.settings,
    actions: { ...integration.settings.actions, ...actions },
  },
});

/** An integration that goes on with other events when its endpoint refuses one. */
export const withContinue = (integration: IntegrationResource): IntegrationResource => ({
  ...integration,
  settings: { ...integration.settings, onFatalError: 'continue' },
});

/** The answer to the creation of `writtenIntegration`, with the secret that the service made. */
export const withNewSecret = withSecret(
  readIntegration,
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwbpxhT2ZqSLM=',
);
