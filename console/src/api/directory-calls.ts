import type { ApiClient } from './api-client.ts';
import { everyMember } from './every-member.ts';
import type {
  AccessToken,
  Account,
  EventTypeCollection,
  IssuedAccessToken,
  Me,
  Role,
  User,
} from './resources.ts';

export const getMe = (api: ApiClient, signal?: AbortSignal) => api.get<Me>('/me', { signal });

/** The whole organisation of the user who is signed in. */
export const listAccounts = (api: ApiClient, signal?: AbortSignal) =>
  everyMember<Account>(api, '/accounts', signal);

export const getAccount = (api: ApiClient, name: string, signal?: AbortSignal) =>
  api.get<Account>(`/accounts/${encodeURIComponent(name)}`, { signal });

export const listUsers = (api: ApiClient, account: string, signal?: AbortSignal) =>
  everyMember<User>(api, `/accounts/${encodeURIComponent(account)}/users`, signal);

export const listAccessTokens = (api: ApiClient, account: string, signal?: AbortSignal) =>
  everyMember<AccessToken>(api, tokensPath(account), signal);

export const issueAccessToken = (
  api: ApiClient,
  account: string,
  wish: { readonly name: string; readonly role: Role },
) => api.post<IssuedAccessToken>(tokensPath(account), { body: wish });

export const revokeAccessToken = (api: ApiClient, account: string, token: string) =>
  api.delete(`${tokensPath(account)}/${encodeURIComponent(token)}`);

export const listEventTypes = async (api: ApiClient, signal?: AbortSignal) =>
  (await api.get<EventTypeCollection>('/event-types', { signal })).member;

const tokensPath = (account: string): string => `/${encodeURIComponent(account)}/access-tokens`;
