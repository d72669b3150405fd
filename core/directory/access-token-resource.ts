import * as z from 'zod';
import { collectionOf } from '../json-ld/collection.ts';
import { IGNORES_JSON_LD } from '../json-ld/request-document.ts';
import { instants, links, type Terms, terms } from '../json-ld/vocabulary.ts';
import { type IssuedToken, type ListedToken, TOKEN_NAME } from './access-token.ts';
import { ROLES } from './user.ts';
import { userPath } from './user-resource.ts';

const name = z.string().meta({ description: 'What the token is for.' });

const expiresAt = z.iso
  .datetime({ offset: true, error: 'must be an RFC 3339 instant', abort: true })
  .meta({
    description: 'When it expires; it may be accepted for 60 seconds more. Absent if it does not.',
  });

const role = z.enum(ROLES).meta({
  description: '`admin` reads and writes, `member` reads.',
});

export const accessTokenDocument = z
  .strictObject({
    name: name
      .refine(
        (text) => TOKEN_NAME.test(text),
        'must be 1 to 100 printable characters, and not only blanks',
      )
      .meta({ minLength: 1, maxLength: 100 }),
    role,
    expiresAt: expiresAt
      .refine(
        (text) => /^\d{4}-/.test(new Date(text).toISOString()),
        'must be in a year of four digits',
      )
      .optional(),
  })
  .meta({
    id: 'AccessTokenDocument',
    description: 'The access token to create, for the calling user.',
    ...IGNORES_JSON_LD,
  });

export const accessTokenResource = z
  .strictObject({
    '@context': z.literal('/contexts/AccessToken.jsonld'),
    '@type': z.literal('AccessToken'),
    id: z
      .string()
      .regex(/^\/[a-z0-9-]+\/access-tokens\/(?:tok|ses)_[0-9a-f]{16}$/)
      .meta({ description: 'Path of the token.' }),
    name,
    user: z.string().meta({ description: 'The user of the token.' }),
    role,
    token: z
      .string()
      .optional()
      .meta({ description: 'The token itself, only in the answer to the call that created it.' }),
    createdAt: z.iso.datetime(),
    expiresAt: expiresAt.optional(),
    lastUsedAt: z.iso.datetime().optional().meta({
      description: 'When it was last used, or at most an hour before; absent before its first use.',
    }),
    revokedAt: z.iso
      .datetime()
      .optional()
      .meta({ description: 'When it was revoked; absent if it was not.' }),
  })
  .meta({ id: 'AccessToken', description: 'A credential for a program that calls this API.' });

export const accessTokenTerms: Terms = {
  ...terms('AccessToken', 'name', 'role', 'token'),
  ...links('user'),
  ...instants('createdAt', 'expiresAt', 'lastUsedAt', 'revokedAt'),
};

export const accessTokenCollection = collectionOf(accessTokenResource, {
  id: 'AccessTokenCollection',
  description: 'A page of an account’s access tokens.',
});

export type AccessTokenResource = z.output<typeof accessTokenResource>;

export const accessTokenPath = ({ account, id }: Pick<IssuedToken, 'account' | 'id'>): string =>
  `/${account}/access-tokens/${id}`;

/** A token as the API shows it; with the `token` itself in the answer to its creation only. */
export const presentAccessToken = (listed: ListedToken, token?: string): AccessTokenResource => ({
  '@context': '/contexts/AccessToken.jsonld',
  '@type': 'AccessToken',
  id: accessTokenPath(listed),
  name: listed.name,
  user: userPath(listed.user),
  role: listed.role,
  ...(token !== undefined && { token }),
  createdAt: listed.createdAt,
  ...(listed.expiresAt !== undefined && { expiresAt: listed.expiresAt }),
  ...(listed.lastUsedAt !== undefined && { lastUsedAt: listed.lastUsedAt }),
  ...(listed.revokedAt !== undefined && { revokedAt: listed.revokedAt }),
});
