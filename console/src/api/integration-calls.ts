import type { ApiClient } from './api-client.ts';
import { everyMember } from './every-member.ts';
import type { Actions, Integration, OnFatalError, Statistics } from './resources.ts';

/** What a person sets of a webhook. */
export interface WebhookSettings {
  readonly active: boolean;
  readonly config: {
    readonly baseUrl: string;
    /** Absent, the service makes one. */
    readonly webhookSecret?: string;
  };
  readonly settings: {
    readonly actions?: Partial<Actions>;
    readonly onFatalError?: OnFatalError;
  };
}

export interface SecretRotation {
  readonly webhookSecret?: string;
  readonly overlapSeconds: number;
}

export const integrationPath = (id: string): string => `/integrations/${id}`;

/** The last part of a document's path: the id of an integration, the name of an account. */
export const nameIn = (path: string): string => decodeURIComponent(path.split('/').at(-1) ?? '');

export const listIntegrations = (api: ApiClient, account: string, signal?: AbortSignal) =>
  everyMember<Integration>(api, `/${encodeURIComponent(account)}/integrations`, signal);

export const getIntegration = (api: ApiClient, id: string, signal?: AbortSignal) =>
  api.request<Integration>('GET', integrationPath(id), { signal });

/** `key` makes the call repeatable: the same key twice makes one integration. */
export const createIntegration = (
  api: ApiClient,
  account: string,
  { settings, key }: { settings: WebhookSettings; key: string },
) =>
  api.request<Integration>('POST', `/${encodeURIComponent(account)}/integrations`, {
    body: { '@type': 'Integration', provider: 'webhook', ...settings },
    headers: { 'Idempotency-Key': key },
  });

/** Changes the members named; `etag` is of the read that the change is of. */
export const changeIntegration = (
  api: ApiClient,
  id: string,
  { changes, etag }: { changes: Partial<WebhookSettings>; etag: string | undefined },
) =>
  api.request<Integration>('PATCH', integrationPath(id), {
    body: changes,
    headers: { 'Content-Type': 'application/merge-patch+json', ...ifMatch(etag) },
  });

export const deleteIntegration = (api: ApiClient, id: string) => api.delete(integrationPath(id));

export const rotateSecret = (
  api: ApiClient,
  id: string,
  { rotation, etag }: { rotation: SecretRotation; etag: string | undefined },
) =>
  api.request<Integration>('POST', `${integrationPath(id)}/rotate-secret`, {
    body: rotation,
    headers: ifMatch(etag),
  });

export const getStatistics = (api: ApiClient, id: string, signal?: AbortSignal) =>
  api.get<Statistics>(`${integrationPath(id)}/statistics`, { signal });

const ifMatch = (etag: string | undefined): Record<string, string> =>
  etag === undefined ? {} : { 'If-Match': etag };
