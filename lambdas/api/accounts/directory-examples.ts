import type { AccessTokenResource } from '../../../core/directory/access-token-resource.ts';
import type { AccountResource } from '../../../core/directory/account-resource.ts';
import type { UserResource } from '../../../core/directory/user-resource.ts';

export const organisationAccount: AccountResource = {
  '@context': '/contexts/Account.jsonld',
  '@type': 'Account',
  id: '/accounts/acme',
  name: 'acme',
  isOrganisation: true,
  failureMail: true,
  mailEnabled: true,
  createdAt: '2026-11-20T09:00:00.000Z',
};

export const accountBelow: AccountResource = {
  '@context': '/contexts/Account.jsonld',
  '@type': 'Account',
  id: '/accounts/acme-sms',
  name: 'acme-sms',
  parent: '/accounts/acme',
  isOrganisation: false,
  createdAt: '2026-11-20T09:05:00.000Z',
};

export const adminUser: UserResource = {
  '@context': '/contexts/User.jsonld',
  '@type': 'User',
  id: '/users/u_1',
  name: 'u_1',
  account: '/accounts/acme',
  role: 'admin',
  createdAt: '2026-11-20T09:00:00.000Z',
};

export const accessToken: AccessTokenResource = {
  '@context': '/contexts/AccessToken.jsonld',
  '@type': 'AccessToken',
  id: '/acme/access-tokens/tok_0f1e2d3c4b5a6978',
  name: 'Reports',
  user: '/users/u_1',
  role: 'member',
  createdAt: '2026-11-20T12:00:00.000Z',
};

export const usedAccessToken: AccessTokenResource = {
  ...accessToken,
  id: '/acme/access-tokens/tok_6b1d0c9e8f7a2534',
  name: 'Contacts',
  role: 'admin',
  createdAt: '2026-11-20T11:45:00.000Z',
  lastUsedAt: '2026-11-20T14:00:00.000Z',
};

export const revokedAccessToken: AccessTokenResource = {
  ...accessToken,
  id: '/acme/access-tokens/tok_8796a5b4c3d2e1f0',
  name: 'First try',
  role: 'admin',
  createdAt: '2026-11-20T11:00:00.000Z',
  revokedAt: '2026-11-20T11:30:00.000Z',
};
