import * as z from 'zod';
import { collectionOf } from '../json-ld/collection.ts';
import { instants, links, type Terms, terms } from '../json-ld/vocabulary.ts';
import { accountPath } from './account-resource.ts';
import { ROLES, roleOf, type User } from './user.ts';

const userResource = z
  .strictObject({
    '@context': z.literal('/contexts/User.jsonld'),
    '@type': z.literal('User'),
    id: z.string().regex(/^\/users\/[A-Za-z0-9_-]{1,64}$/),
    name: z.string().meta({ description: 'The user’s identifier.' }),
    account: z.string().meta({ description: 'The account that the user belongs to.' }),
    role: z.enum(ROLES).meta({
      description: '`admin`, an organisation admin, reads and writes; a `member` reads.',
    }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'User', description: 'A person, or a program, of an account.' });

export const userTerms: Terms = {
  ...terms('User', 'name', 'role'),
  ...links('account'),
  ...instants('createdAt'),
};

export const userCollection = collectionOf(userResource, {
  id: 'UserCollection',
  description: 'A page of an account’s users.',
});

export type UserResource = z.output<typeof userResource>;

/** @param id or the name that a console link gave */
export const userPath = (id: string): string => `/users/${encodeURIComponent(id)}`;

export const presentUser = (user: User): UserResource => ({
  '@context': '/contexts/User.jsonld',
  '@type': 'User',
  id: userPath(user.id),
  name: user.id,
  account: accountPath(user.account),
  role: roleOf(user),
  createdAt: user.createdAt,
});
