import { AdministrationError } from '../refusal.ts';
import { requireEmail } from './administer-users.ts';
import type { Identities, SignInIdentity } from './sign-in.ts';
import { existingUser, type Role, type User, type Users } from './user.ts';

/** Up to 255 characters, as OpenID Connect Core 1.0 has it in section 2. */
const SUBJECT = /^[\x21-\x7e]{1,255}$/;

/**
 * Lets the person with an identity sign in as a user. Throws `AdministrationError` for an unknown
 * user, an identity that no provider gives, and an identity of another user.
 */
export const buildIdentifyUser =
  (ports: { users: Users; identities: Identities }) =>
  async (userId: string, identity: SignInIdentity): Promise<void> => {
    requireIdentity(identity);
    const user = await existingUser(ports.users, userId);
    if ((await ports.identities.add(user.id, identity)) === 'added') return;
    throw new AdministrationError(
      `"${identity.subject}" of ${identity.issuer} signs in as another user already.`,
    );
  };

const requireIdentity = ({ issuer, subject }: SignInIdentity): void => {
  if (!isIssuer(issuer)) {
    throw new AdministrationError(
      `"${issuer}" cannot be an issuer: an address of http or https without query and fragment.`,
    );
  }
  if (!SUBJECT.test(subject)) {
    throw new AdministrationError(
      `"${subject}" cannot be a subject: 1 to 255 printable characters without blanks.`,
    );
  }
};

const isIssuer = (text: string): boolean =>
  /^https?:\/\/[^?#\s]+$/.test(text) && text.length <= 1_000 && URL.canParse(text);

export interface SignInAccounts {
  /** Of the person with an e-mail address. An unknown one is `invited` by e-mail. */
  invite(email: string): Promise<{ identity: SignInIdentity; outcome: 'invited' | 'known' }>;
  /** Does nothing for an identity of another provider, and for a person who is not there. */
  remove(identity: SignInIdentity): Promise<void>;
}

interface Invitation {
  readonly id: string;
  readonly account: string;
  readonly role: Role;
  readonly email: string;
}

interface InvitedUser {
  readonly user: User;
  readonly identity: SignInIdentity;
  readonly outcome: 'invited' | 'known';
}

/**
 * Creates a user who can sign in, unless the user exists in this account with this role: a command
 * that died can be repeated. Throws as creating and identifying a user do.
 */
export const buildInviteUser =
  (ports: {
    users: Users;
    createUser: (id: string, account: string, role: Role) => Promise<User>;
    setEmail: (id: string, email: string) => Promise<User>;
    identifyUser: (id: string, identity: SignInIdentity) => Promise<void>;
  }) =>
  async (
    { id, account, role, email }: Invitation,
    signIns: SignInAccounts,
  ): Promise<InvitedUser> => {
    requireEmail(email);
    const stored = await ports.users.find(id);
    const isThere = stored?.account === account && stored.role === role;
    if (!isThere) await ports.createUser(id, account, role);
    const user = await ports.setEmail(id, email);
    const { identity, outcome } = await signIns.invite(email);
    await ports.identifyUser(id, identity);
    return { user, identity, outcome };
  };
