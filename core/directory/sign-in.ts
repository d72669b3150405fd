import type { User } from './user.ts';

/** Who signed in: the provider's address, and the name that the provider has for the person. */
export interface SignInIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** The access tokens that the console's sign-in gives: JSON Web Tokens. */
export interface SignInTokens {
  /**
   * Who signed in to get this token. undefined for a token that another key signed, that is not the
   * console's, that is no access token, or that is not valid now. Throws when the provider's keys
   * cannot be read.
   */
  verify(jwt: string): Promise<SignInIdentity | undefined>;
}

/** The users who may sign in. */
export interface IdentifiedUsers {
  /** undefined for an identity that no user has, and for a removed user. Strongly consistent. */
  findUser(identity: SignInIdentity): Promise<User | undefined>;
}

/** The identities of each user. Signing in does not read this list. */
export interface IdentityList {
  /** Listing an identity again changes nothing. */
  put(user: string, identity: SignInIdentity): Promise<void>;
  remove(user: string, identity: SignInIdentity): Promise<void>;
  /** In no particular order. Strongly consistent. */
  listOf(user: string): Promise<readonly SignInIdentity[]>;
}

/** The identities, as signing in looks them up. */
export interface Identities {
  /** `taken` when another user has the identity, who keeps it. */
  add(user: string, identity: SignInIdentity): Promise<'added' | 'taken'>;
  /** From now on the identity is not this user's; another user keeps it. */
  remove(user: string, identity: SignInIdentity): Promise<void>;
}
