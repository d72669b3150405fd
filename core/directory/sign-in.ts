import type { User } from './user.ts';

/** A person who signs in: the provider's address, and the provider's name for the person. */
export interface SignInIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** The access tokens that the console's sign-in gives: JSON Web Tokens. */
export interface SignInTokens {
  /** Undefined for a token that is of another kind or not valid now. Throws if keys cannot be read. */
  verify(jwt: string): Promise<SignInIdentity | undefined>;
}

export interface IdentifiedUsers {
  /** Undefined for an identity of no user, and for a removed user. Strongly consistent. */
  findUser(identity: SignInIdentity): Promise<User | undefined>;
}

/** Identities, and the list of them that each user has. Signing in does not read the list. */
export interface Identities {
  /** In no particular order. Strongly consistent. */
  listOf(user: string): Promise<readonly SignInIdentity[]>;
  /** `taken` when another user has the identity, who keeps it. */
  add(user: string, identity: SignInIdentity): Promise<'added' | 'taken'>;
  /** Removes the identity from this user only. */
  remove(user: string, identity: SignInIdentity): Promise<void>;
}
