import type { UserSignatures } from '../../../core/directory/user.ts';

export class InMemoryUserSignatures implements UserSignatures {
  readonly #users = new Map<string, { account: string; content: string }>();

  add(user: string, account: string, content = ''): this {
    this.#users.set(user, { account, content });
    return this;
  }

  async findSignature(user: string): Promise<{ account: string; content: string } | undefined> {
    return this.#users.get(user);
  }
}
