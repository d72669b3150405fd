import type { Administration } from '../core/directory/administration.ts';
import type { Role } from '../core/directory/user.ts';

/** A user of the customer, and the name by which the user signs in to the console. */
export interface SeededUser {
  readonly username: string;
  readonly user: string;
  readonly account: string;
  readonly role: Role;
}

const ada: SeededUser = { username: 'ada', user: 'u_ada', account: 'acme', role: 'admin' };
const bob: SeededUser = { username: 'bob', user: 'u_bob', account: 'acme-sms', role: 'member' };

export const SEEDED_USERS = [ada, bob] as const;

export interface Seeded {
  readonly account: string;
  readonly user: string;
  readonly adminToken: string;
  readonly memberToken: string;
}

/**
 * Creates a customer to try things with: an organisation with an admin, who has a Signature, a
 * messaging account below with a user of its own, and a token of each user. With an issuer, the users
 * sign in there.
 */
export const seed = async (
  administration: Administration,
  issuer: string | undefined,
): Promise<Seeded> => {
  const account = await administration.createAccount(ada.account);
  await administration.createAccount(bob.account, account.name);
  for (const { username, user, account, role } of SEEDED_USERS) {
    await administration.createUser(user, account, role);
    if (issuer !== undefined) {
      await administration.identifyUser(user, { issuer, subject: username });
    }
  }
  await administration.setSignature(ada.user, 'Ada Lovelace, Acme Inc. Reply STOP to opt out.');
  const adas = await administration.issueToken(ada.user, ada.role, 'npm start');
  const bobs = await administration.issueToken(bob.user, bob.role, 'npm start');
  return {
    account: account.name,
    user: ada.user,
    adminToken: adas.token,
    memberToken: bobs.token,
  };
};
