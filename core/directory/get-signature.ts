import * as z from 'zod';
import { type Terms, terms } from '../json-ld/vocabulary.ts';
import { Refusal } from '../refusal.ts';
import { USER_ID, type UserSignatures } from './user.ts';

export const signatureResource = z
  .strictObject({
    '@context': z.literal('/contexts/Signature.jsonld'),
    '@type': z.literal('Signature'),
    id: z.string().regex(/^\/users\/[A-Za-z0-9_-]{1,64}\/signature$/),
    content: z
      .string()
      .meta({ description: 'The text of the signature; empty if the user has none.' }),
  })
  .meta({
    id: 'Signature',
    description: 'A piece of text that can be appended automatically to outgoing messages.',
  });

export const signatureTerms: Terms = terms('Signature', 'content');

export type SignatureResource = z.output<typeof signatureResource>;

export type GetSignature = (account: string, user: string) => Promise<SignatureResource>;

/** The Signature of a user. Throws `not-found` also for another account's user. */
export const buildGetSignature =
  (ports: { signatures: UserSignatures }): GetSignature =>
  async (account, user) => {
    const found = USER_ID.test(user) ? await ports.signatures.findSignature(user) : undefined;
    if (found?.account !== account) throw unknownUser();
    return presentSignature(user, found.content);
  };

export const unknownUser = (): Refusal => new Refusal('not-found', 'The user does not exist.');

export const presentSignature = (user: string, content: string): SignatureResource => ({
  '@context': '/contexts/Signature.jsonld',
  '@type': 'Signature',
  id: `/users/${user}/signature`,
  content,
});
