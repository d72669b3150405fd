import { AdministrationError } from './administration-error.ts';
import type { Role } from './principal.ts';
import type { SignInIdentity } from './sign-in.ts';
import type { User, Users } from './user.ts';

/** The people whom a deployment's own provider of sign-ins knows. */
export interface SignInAccounts {
  /**
   * The identity of the person with an e-mail address. A person whom the provider does not know is
   * `invited` by e-mail; a person whom the provider knows stays as known.
   */
  invite(email: string): Promise<{ identity: SignInIdentity; outcome: 'invited' | 'known' }>;
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

/** Catches slips of the keyboard; the provider decides. */
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/**
 * Creates a user who can sign in. Throws `AdministrationError` as creating and identifying a user
 * do. A user who is there already, in this account and with this role, is not created again: a
 * command that died on its way can be repeated.
 */
export const buildInviteUser =
  (ports: {
    users: Users;
    createUser: (id: string, account: string, role: Role) => Promise<User>;
    identifyUser: (id: string, identity: SignInIdentity) => Promise<void>;
  }) =>
  async (
    { id, account, role, email }: Invitation,
    signIns: SignInAccounts,
  ): Promise<InvitedUser> => {
    if (!EMAIL.test(email)) throw new AdministrationError(`"${email}" is not an e-mail address.`);
    const stored = await ports.users.find(id);
    const isThere = stored?.account === account && stored.role === role;
    const user = isThere ? stored : await ports.createUser(id, account, role);
    const { identity, outcome } = await signIns.invite(email);
    await ports.identifyUser(id, identity);
    return { user, identity, outcome };
  };
