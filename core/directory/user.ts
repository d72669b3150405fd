import { AdministrationError } from './administration-error.ts';

export interface User {
  readonly id: string;
  readonly account: string;
  /** The account at the top of the chain of parents of `account`: it has the user's tokens. */
  readonly primaryAccount: string;
  readonly createdAt: string;
}

export interface Users {
  /** Strongly consistent. */
  find(id: string): Promise<User | undefined>;
  /** `exists` when there is a user of that id in any account; that user stays as it is. */
  add(user: User): Promise<'added' | 'exists'>;
}

/** The user of an id. Throws `AdministrationError` when there is none. */
export const existingUser = async (users: Users, id: string): Promise<User> => {
  const user = await users.find(id);
  if (user === undefined) throw new AdministrationError(`There is no user "${id}".`);
  return user;
};
