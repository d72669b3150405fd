import { meResource } from '../../../../core/directory/get-me.ts';
import type { Route } from '../../runtime/route.ts';

export const route = {
  method: 'GET',
  path: '/me',
  access: 'member',
  operationId: 'getMe',
  tag: 'Accounts',
  summary: 'Read whom the token is of',
  description: 'The user, the user’s account and organisation, and what the token may do.',
  answers: [
    {
      status: 200,
      description: 'Whom the call is made for.',
      schema: meResource,
      examples: {
        admin: {
          summary: 'An organisation admin',
          value: {
            '@context': '/contexts/Me.jsonld',
            '@type': 'Me',
            id: '/me',
            user: '/users/u_1',
            userName: 'u_1',
            account: '/accounts/acme',
            organisation: '/accounts/acme',
            role: 'admin',
          },
        },
      },
    },
  ],
  refusals: [],
} as const satisfies Route;
