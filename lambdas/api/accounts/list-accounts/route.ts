import * as z from 'zod';
import { accountCollection } from '../../../../core/directory/account-resource.ts';
import { cursorParameter, limitParameter } from '../../runtime/query-parameters.ts';
import type { Route } from '../../runtime/route.ts';
import { accountBelow, organisationAccount } from '../directory-examples.ts';

export const route = {
  method: 'GET',
  path: '/accounts',
  access: 'member',
  servedBy: 'read-api',
  operationId: 'listAccounts',
  tag: 'Accounts',
  summary: 'List the accounts of the organisation',
  description:
    'The organisation’s own account first, then every account below in the order of their names. `parent` makes a tree of them.',
  query: z.strictObject({ limit: limitParameter, cursor: cursorParameter }),
  answers: [
    {
      status: 200,
      description: 'A page of the organisation’s accounts.',
      schema: accountCollection,
      examples: {
        all: {
          summary: 'An organisation with an account below its own',
          value: {
            '@context': '/contexts/Collection.jsonld',
            '@type': 'Collection',
            id: '/accounts',
            totalItems: 2,
            member: [organisationAccount, accountBelow],
            view: { '@type': 'PartialCollectionView', id: '/accounts?limit=20' },
          },
        },
      },
    },
  ],
  refusals: [],
} as const satisfies Route;
