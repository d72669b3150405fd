import { EVENT_TYPES } from '../../core/event/event-types.ts';
import type { Seeded } from '../seed.ts';

export interface Registration {
  readonly api: string;
  readonly customer: Seeded;
  readonly webhookSecret: string;
}

/**
 * Registers a webhook for every event type through the API. Resolves to the integration's path;
 * throws when the API refuses.
 */
export const registerWebhook = async (
  baseUrl: string,
  { api, customer, webhookSecret }: Registration,
): Promise<string> => {
  const response = await fetch(`${api}/${customer.account}/integrations`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${customer.adminToken}`,
      'Content-Type': 'application/vnd.service+jsonld',
      Accept: 'application/vnd.service+jsonld',
    },
    body: JSON.stringify({
      '@context': '/contexts/Integration.jsonld',
      '@type': 'Integration',
      active: true,
      provider: 'webhook',
      config: { baseUrl, webhookSecret },
      settings: { actions: Object.fromEntries(EVENT_TYPES.map((type) => [type, true])) },
    }),
  });
  const text = await response.text();
  if (response.status === 201) return JSON.parse(text).id;
  throw new Error(`Registering the webhook was answered ${response.status}: ${text}`);
};
