import type { Administration } from '../core/directory/administration.ts';

export interface Seeded {
  readonly account: string;
  readonly user: string;
  readonly adminToken: string;
  readonly memberToken: string;
}

/** Creates a customer to try things with: accounts, a user with a Signature, and two tokens. */
export const seed = async (administration: Administration): Promise<Seeded> => {
  const account = await administration.createAccount('acme');
  const messaging = await administration.createAccount('acme-sms', account.name);
  const user = await administration.createUser('u_ada', messaging.name);
  await administration.setSignature(user.id, 'Ada Lovelace, Acme Inc. Reply STOP to opt out.');
  const admin = await administration.issueToken(user.id, 'admin');
  const member = await administration.issueToken(user.id, 'member');
  return {
    account: account.name,
    user: user.id,
    adminToken: admin.token,
    memberToken: member.token,
  };
};
