import * as z from 'zod';
import { IGNORES_JSON_LD, parseRequestDocument } from '../json-ld/request-document.ts';
import { presentSignature, type SignatureResource, unknownUser } from './get-signature.ts';
import { USER_ID, type WritableSignatures } from './user.ts';

const MAX_CHARACTERS = 1_600;

export const signatureDocument = z
  .strictObject({
    content: z
      .string()
      .superRefine((text, { addIssue }) => {
        const characters = [...text].length;
        if (characters > MAX_CHARACTERS) {
          addIssue(`must be at most ${MAX_CHARACTERS} characters, not ${characters}`);
        }
      })
      .meta({
        maxLength: MAX_CHARACTERS,
        description: 'The text of the signature. An empty one removes it.',
      }),
    id: z.unknown().optional().meta({ description: 'Set by the service; ignored.' }),
  })
  .meta({
    id: 'SignatureDocument',
    description: 'A Signature as you write it. You can send back one that you have read.',
    ...IGNORES_JSON_LD,
  });

export type SetSignature = (user: string, document: unknown) => Promise<SignatureResource>;

/** Sets or replaces the Signature of a user of any account. Throws `validation` and `not-found`. */
export const buildSetSignature =
  (ports: { signatures: Pick<WritableSignatures, 'write'> }): SetSignature =>
  async (user, document) => {
    const { content } = parseRequestDocument(signatureDocument, document, { name: 'Signature' });
    const written = USER_ID.test(user) ? await ports.signatures.write(user, content) : 'no-user';
    if (written === 'no-user') throw unknownUser();
    return presentSignature(user, content);
  };
