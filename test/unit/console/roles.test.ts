import { describe, expect, it } from 'vitest';
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

describe('a control that changes something', () => {
  it('is there for an admin', () => {
    expect(whyReadOnly(me('admin'))).toBeUndefined();
  });

  it('tells a member whose admins can change it', () => {
    expect(whyReadOnly(me('member'))).toBe(
      'You are a member of acme: you can see everything here. An admin of acme can change it.',
    );
  });

  it('waits until it is known who is signed in', () => {
    expect(whyReadOnly(undefined)).toBe('Your role is being read.');
  });
});
