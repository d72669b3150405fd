import type { ApiClient } from './api-client.ts';
import { deliveryPath, integrationPath, integrationsPath, tokensPath } from './paths.ts';
import type {
  Actions,
  Delivery,
  EventType,
  Integration,
  IssuedAccessToken,
  OnFatalError,
  Recovery,
  Retry,
  Role,
  WebhookTest,
} from './resources.ts';

/** The members of a webhook that a person sets. */
export interface WebhookSettings {
  readonly active: boolean;
  readonly config: {
    readonly baseUrl: string;
    /** If it is absent, the service makes one. */
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

/** `key` makes the call idempotent: two calls with the same key create one integration. */
export const createIntegration = (
  api: ApiClient,
  account: string,
  { settings, key }: { settings: WebhookSettings; key: string },
) =>
  api.request<Integration>('POST', integrationsPath(account), {
    body: { '@type': 'Integration', provider: 'webhook', ...settings },
    headers: { 'Idempotency-Key': key },
  });

/**
 * Makes idempotency keys. The same body gets the same key, so a second click, or a retry after a
 * lost response, creates nothing twice. Another body gets another key, because the service refuses
 * a key that was used with another body.
 */
export const createKeyring = (makeKey: () => string): ((body: unknown) => string) => {
  const keys = new Map<string, string>();
  return (body) => {
    const text = JSON.stringify(body);
    const key = keys.get(text) ?? makeKey();
    keys.set(text, key);
    return key;
  };
};

/** Changes only the members given. `etag` is from the read that the change is based on. */
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

const ifMatch = (etag: string | undefined): Record<string, string> =>
  etag === undefined ? {} : { 'If-Match': etag };

export const testIntegration = (api: ApiClient, id: string, eventType: EventType) =>
  api.post<WebhookTest>(`${integrationPath(id)}/test`, { body: { eventType } });

export const retryNow = (api: ApiClient, id: string) =>
  api.post<Retry>(`${integrationPath(id)}/retry`);

export const resendDelivery = (api: ApiClient, id: string, event: string) =>
  api.post<Delivery>(`${deliveryPath(id, event)}/resend`);

export const recover = (api: ApiClient, id: string, since: string) =>
  api.post<Recovery>(`${integrationPath(id)}/recover`, { body: { since } });

export const issueAccessToken = (
  api: ApiClient,
  account: string,
  wish: { readonly name: string; readonly role: Role },
) => api.post<IssuedAccessToken>(tokensPath(account), { body: wish });

export const revokeAccessToken = (api: ApiClient, account: string, token: string) =>
  api.delete(`${tokensPath(account)}/${encodeURIComponent(token)}`);
