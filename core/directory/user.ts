import { AdministrationError } from './administration-error.ts';

export interface User {
  readonly id: string;
  readonly account: string;
  /** The top of the account's chain of parents: where the user's tokens are. */
  readonly primaryAccount: string;
  readonly createdAt: string;
}

export interface Users {
  /** Strongly consistent. */
  find(id: string): Promise<User | undefined>;
  /** `exists` when there is a user of that id, in whatever account; it is left as it is. */
  add(user: User): Promise<'added' | 'exists'>;
}

export const existingUser = async (users: Users, id: string): Promise<User> => {
  const user = await users.find(id);
  if (user === undefined) throw new AdministrationError(`There is no user "${id}".`);
  return user;
};
