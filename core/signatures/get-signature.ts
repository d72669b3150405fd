import { Refusal } from '../refusal.ts';

export interface UserSignatures {
  /** The user's primary account and signature text (empty without one); undefined for an unknown user. */
  findSignature(user: string): Promise<{ account: string; content: string } | undefined>;
}

export const USER_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The Signature resource. Throws `not-found` alike for an unknown user and another account's. */
export const createGetSignature =
  (ports: { signatures: UserSignatures }) =>
  async (account: string, user: string): Promise<Record<string, string>> => {
    const found = USER_ID.test(user) ? await ports.signatures.findSignature(user) : undefined;
    if (found?.account !== account) throw new Refusal('not-found', 'There is no such user.');
    return {
      '@context': '/contexts/Signature.jsonld',
      '@type': 'Signature',
      id: `/users/${user}/signature`,
      content: found.content,
    };
  };
