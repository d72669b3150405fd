import type { Integration, Trouble } from './integration.ts';
import type { IntegrationResource } from './integration-resource.ts';
import { inForce } from './previous-secrets.ts';
import { FILTERED } from './webhook-secret.ts';

export const integrationPath = (id: string): string => `/integrations/${id}`;

/**
 * The Integration resource as the API shows it at an instant. `revealSecret` only in the answer of
 * the call that set or made the webhook secret.
 */
export const presentIntegration = (
  integration: Integration,
  now: Date,
  { revealSecret = false }: { revealSecret?: boolean } = {},
): IntegrationResource => {
  const { config, delivery } = integration;
  const [latest] = inForce(config.previousSecrets, now)
    .map(({ expiresAt }) => expiresAt)
    .toSorted()
    .reverse();
  return {
    '@context': '/contexts/Integration.jsonld',
    '@type': 'Integration',
    id: integrationPath(integration.id),
    active: integration.active,
    provider: integration.provider,
    config: {
      baseUrl: config.baseUrl,
      webhookSecret: revealSecret ? config.webhookSecret : FILTERED,
      ...(config.clientSecret !== undefined && { clientSecret: FILTERED }),
    },
    settings: integration.settings,
    status: statusOf(integration),
    isHealthy: delivery.kind !== 'failed',
    ...(delivery.kind === 'failed' && { failure: failureOf(delivery) }),
    ...(latest !== undefined && { previousSecretExpiresAt: latest }),
    createdAt: integration.createdAt,
    updatedAt: integration.updatedAt,
  };
};

export const statusOf = ({ active, delivery }: Integration): IntegrationResource['status'] => {
  if (!active) return 'inactive';
  return delivery.kind === 'healthy' ? 'active' : delivery.kind;
};

const failureOf = ({ kind: _, ...failure }: Trouble) => failure;

/** Strong validator: changes with every change of settings. */
export const entityTag = ({ id, revision }: Integration): string => `"${id}-${revision}"`;
