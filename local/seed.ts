import type { Administration } from '../core/directory/administration.ts';

export interface Seeded {
  readonly account: string;
  readonly user: string;
  readonly adminToken: string;
  readonly memberToken: string;
}

/**
 * Creates a customer to try things with: an organisation with an admin, who has a Signature, a
 * messaging account below with a user of its own, and a token of each user.
 */
export const seed = async (administration: Administration): Promise<Seeded> => {
  const account = await administration.createAccount('acme');
  const messaging = await administration.createAccount('acme-sms', account.name);
  const ada = await administration.createUser('u_ada', account.name, 'admin');
  const bob = await administration.createUser('u_bob', messaging.name);
  await administration.setSignature(ada.id, 'Ada Lovelace, Acme Inc. Reply STOP to opt out.');
  const adas = await administration.issueToken(ada.id, 'admin', 'npm start');
  const bobs = await administration.issueToken(bob.id, 'member', 'npm start');
  return {
    account: account.name,
    user: ada.id,
    adminToken: adas.token,
    memberToken: bobs.token,
  };
};
