import { expect, it } from 'vitest';
import type { Me } from '../../../console/src/api/resources.ts';
import { whyReadOnly } from '../../../console/src/shared/roles.ts';

const me = (role: Me['role']): Me => ({
  '@context': '/contexts/Me.jsonld',
  '@type': 'Me',
  id: '/me',
  user: '/users/u_1',
  userName: 'u_1',
  account: '/accounts/acme-sms',
  organisation: '/accounts/acme',
  role,
});

it.each([
  ['there for an admin', me('admin'), undefined],
  [
    'disabled for a member, who is told whose admins can use it',
    me('member'),
    'You are a member of acme: you can see everything here. An admin of acme can change it.',
  ],
  ['disabled until the user is read', undefined, 'Your role is being read.'],
])('a control that changes something is %s', (_, user, reason) => {
  expect(whyReadOnly(user)).toBe(reason);
});
