import { AdministrationError } from '../refusal.ts';
import type { PageOptions } from './account.ts';

/** An `admin`, an organisation admin, reads and writes. A `member` reads. */
export const ROLES = ['admin', 'member'] as const;

export type Role = (typeof ROLES)[number];

/** The user that a call is made for, in the user's primary account. */
export interface Principal {
  readonly user: string;
  readonly account: string;
  readonly role: Role;
  /** The id of the access token; absent for a sign-in. */
  readonly token?: string | undefined;
  /** Until when the access token is valid (RFC 3339), if it expires. */
  readonly expiresAt?: string | undefined;
}

export const USER_ID = /^[A-Za-z0-9_-]{1,64}$/;

export interface User {
  readonly id: string;
  readonly account: string;
  readonly primaryAccount: string;
  /** `admin` only for a user of an organisation's own account. */
  readonly role: Role;
  /** Where the service may write to the person. Callers of the API do not see it. */
  readonly email?: string;
  readonly createdAt: string;
}

export interface Users {
  /** Strongly consistent. */
  find(id: string): Promise<User | undefined>;
  /**
   * With its place in the list of its account. `exists` when there is a user of that id in any
   * account; that user stays as it is.
   */
  add(user: User): Promise<'added' | 'exists'>;
  /** Also in the list. Does nothing if the user was removed, also if another account has the id now. */
  replace(user: User): Promise<void>;
  /** Also from the list. A user of the id in another account stays. */
  remove(user: User): Promise<void>;
}

export interface UserList {
  /** Of this account alone, by id. No `next` on the last page. Strongly consistent. */
  listOf(account: string, options: PageOptions): Promise<{ users: readonly User[]; next?: string }>;
}

export interface UserSignatures {
  /** The signature is empty for a user without one. Undefined for an unknown user. */
  findSignature(user: string): Promise<{ account: string; content: string } | undefined>;
}

export interface WritableSignatures {
  has(user: string): Promise<boolean>;
  /** An empty text removes the signature. A user that is removed meanwhile gets none. */
  write(user: string, content: string): Promise<'written' | 'no-user'>;
  remove(user: string): Promise<void>;
}

export const existingUser = async (users: Users, id: string): Promise<User> => {
  const user = await users.find(id);
  if (user === undefined) throw new AdministrationError(`There is no user "${id}".`);
  return user;
};

/** A user of an account below the organisation's own is a member, whatever is stored. */
export const roleOf = ({ account, primaryAccount, role }: User): Role =>
  role === 'admin' && account === primaryAccount ? 'admin' : 'member';
