import type { Integration } from './integration.ts';
import { FILTERED } from './integration-document.ts';

export const integrationPath = (id: string): string => `/integrations/${id}`;

/**
 * The Integration resource as the API shows it. `revealSecret` only in the answer of the call that
 * set or made the webhook secret.
 */
export const presentIntegration = (
  integration: Integration,
  { revealSecret = false }: { revealSecret?: boolean } = {},
): Record<string, unknown> => {
  const { config, delivery } = integration;
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
    createdAt: integration.createdAt,
    updatedAt: integration.updatedAt,
  };
};

const statusOf = ({ active, delivery }: Integration): 'active' | 'inactive' | 'busy' | 'failed' => {
  if (!active) return 'inactive';
  return delivery.kind === 'healthy' ? 'active' : delivery.kind;
};

const failureOf = ({
  kind: _,
  ...failure
}: Exclude<Integration['delivery'], { kind: 'healthy' }>) => failure;

/** Strong validator: changes with every change of settings. */
export const entityTag = ({ id, revision }: Integration): string => `"${id}-${revision}"`;
