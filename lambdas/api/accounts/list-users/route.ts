import * as z from 'zod';
import { userCollection } from '../../../../core/directory/user-resource.ts';
import { cursorParameter, limitParameter } from '../../runtime/query-parameters.ts';
import type { Route } from '../../runtime/route.ts';
import { adminUser } from '../directory-examples.ts';

export const route = {
  method: 'GET',
  path: '/accounts/{account}/users',
  access: 'member',
  servedBy: 'read-api',
  operationId: 'listUsers',
  tag: 'Accounts',
  summary: 'List the users of an account',
  description:
    'Of any account of the token’s organisation, in the order of their identifiers. Users of the accounts below are not among them.',
  query: z.strictObject({ limit: limitParameter, cursor: cursorParameter }),
  answers: [
    {
      status: 200,
      description: 'A page of the account’s users.',
      schema: userCollection,
      examples: {
        all: {
          summary: 'An account with one user',
          value: {
            '@context': '/contexts/Collection.jsonld',
            '@type': 'Collection',
            id: '/accounts/acme/users',
            totalItems: 1,
            member: [adminUser],
            view: { '@type': 'PartialCollectionView', id: '/accounts/acme/users?limit=20' },
          },
        },
      },
    },
  ],
  refusals: ['not-found'],
} as const satisfies Route;
