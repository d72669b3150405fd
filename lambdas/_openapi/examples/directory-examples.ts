import type { AccountResource } from '../../../core/directory/account-resource.ts';
import type { UserResource } from '../../../core/directory/user-resource.ts';

export const organisationAccount: AccountResource = {
  '@context': '/contexts/Account.jsonld',
  '@type': 'Account',
  id: '/accounts/acme',
  name: 'acme',
  isOrganisation: true,
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
