import type {
  IdentifiedUsers,
  Identities,
  IdentityList,
  SignInIdentity,
} from '../../../core/directory/sign-in.ts';
import type { User, Users } from '../../../core/directory/user.ts';

const nameOf = ({ issuer, subject }: SignInIdentity): string => `${issuer}#${subject}`;

export class InMemoryIdentityList implements IdentityList {
  readonly #listed = new Map<string, { user: string; identity: SignInIdentity }>();

  async put(user: string, identity: SignInIdentity): Promise<void> {
    this.#listed.set(`${user}#${nameOf(identity)}`, { user, identity });
  }

  async remove(user: string, identity: SignInIdentity): Promise<void> {
    this.#listed.delete(`${user}#${nameOf(identity)}`);
  }

  async listOf(id: string): Promise<readonly SignInIdentity[]> {
    return [...this.#listed.values()].flatMap(({ user, identity }) =>
      user === id ? [identity] : [],
    );
  }
}

export class InMemoryIdentities implements Identities, IdentifiedUsers {
  readonly #users: Users;
  readonly #owners = new Map<string, string>();

  constructor(users: Users) {
    this.#users = users;
  }

  async add(user: string, identity: SignInIdentity): Promise<'added' | 'taken'> {
    const owner = this.#owners.get(nameOf(identity)) ?? user;
    this.#owners.set(nameOf(identity), owner);
    return owner === user ? 'added' : 'taken';
  }

  async remove(user: string, identity: SignInIdentity): Promise<void> {
    if (this.#owners.get(nameOf(identity)) === user) this.#owners.delete(nameOf(identity));
  }

  async findUser(identity: SignInIdentity): Promise<User | undefined> {
    const owner = this.#owners.get(nameOf(identity));
    return owner === undefined ? undefined : this.#users.find(owner);
  }
}
