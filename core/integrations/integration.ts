import type { EventType } from '../events/event-type.ts';

export type Actions = Readonly<Record<EventType, boolean>>;

/** What stands between an integration and its deliveries. Set by the service, never by the caller. */
type DeliveryState =
  | { readonly kind: 'healthy' }
  | {
      readonly kind: 'busy' | 'failed';
      readonly since: string;
      readonly statusCode?: number;
      readonly reason?: string;
      readonly lastAttemptAt: string;
      readonly nextAttemptAt: string;
    };

interface IntegrationConfig {
  readonly baseUrl: string;
  /** The signing key as the customer sees it. */
  readonly webhookSecret: string;
  /** Kept for the customer's client applications; never shown, never sent to the endpoint. */
  readonly clientSecret?: string;
}

/** A customer's webhook: where the account's events go, and which. */
export interface Integration {
  readonly account: string;
  /** 12 base62 characters, unique across accounts. */
  readonly id: string;
  readonly active: boolean;
  readonly provider: 'webhook';
  readonly config: IntegrationConfig;
  readonly settings: { readonly actions: Actions };
  /** Grows by one with every change of settings. */
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly delivery: DeliveryState;
}

export interface IntegrationStore {
  /** Strongly consistent: what was just created is found. */
  find(account: string, id: string): Promise<Integration | undefined>;
}

export interface AccountIntegrations {
  /** Every integration of the account, strongly consistent, in no particular order. */
  listOf(account: string): Promise<readonly Integration[]>;
}

export interface NewIntegrations {
  /** `exists` when the account has an integration of that id already; it is left as it is. */
  add(integration: Integration): Promise<'added' | 'exists'>;
}
