import type { ApiClient } from './api-client.ts';
import { integrationPath } from './integration-calls.ts';
import type {
  Collection,
  Delivery,
  DeliveryDetails,
  EventType,
  Recovery,
  Retry,
  WebhookTest,
} from './resources.ts';

export interface DeliveryFilters {
  readonly outcome?: NonNullable<Delivery['outcome']> | undefined;
  readonly eventType?: EventType | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Where a page begins, and how long it is. */
export interface PageWish {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export const listDeliveries = (
  api: ApiClient,
  id: string,
  query: DeliveryFilters & PageWish,
  signal?: AbortSignal,
) =>
  api.get<Collection<Delivery>>(`${integrationPath(id)}/deliveries`, {
    query: { ...query },
    signal,
  });

export const getDelivery = (api: ApiClient, id: string, event: string, signal?: AbortSignal) =>
  api.get<DeliveryDetails>(deliveryPath(id, event), { signal });

export const listPendingEvents = (
  api: ApiClient,
  id: string,
  query: { readonly state?: 'pending' | 'set-aside' } & PageWish,
  signal?: AbortSignal,
) =>
  api.get<Collection<Delivery>>(`${integrationPath(id)}/pending-events`, {
    query: { ...query },
    signal,
  });

export const testIntegration = (api: ApiClient, id: string, eventType: EventType) =>
  api.post<WebhookTest>(`${integrationPath(id)}/test`, { body: { eventType } });

export const retryNow = (api: ApiClient, id: string) =>
  api.post<Retry>(`${integrationPath(id)}/retry`);

export const resendDelivery = (api: ApiClient, id: string, event: string) =>
  api.post<Delivery>(`${deliveryPath(id, event)}/resend`);

export const recover = (api: ApiClient, id: string, since: string) =>
  api.post<Recovery>(`${integrationPath(id)}/recover`, { body: { since } });

const deliveryPath = (id: string, event: string): string =>
  `${integrationPath(id)}/deliveries/${encodeURIComponent(event)}`;
