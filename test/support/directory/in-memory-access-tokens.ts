import { hashAccessToken } from '../../../core/directory/access-token.ts';
import type { AccessTokens } from '../../../core/directory/authenticate.ts';
import type { Principal } from '../../../core/directory/principal.ts';

export class InMemoryAccessTokens implements AccessTokens {
  readonly #principals = new Map<string, Principal>();

  issue(token: string, principal: Principal): this {
    this.#principals.set(hashAccessToken(token), principal);
    return this;
  }

  revoke(token: string): void {
    this.#principals.delete(hashAccessToken(token));
  }

  async findPrincipal(tokenHash: string): Promise<Principal | undefined> {
    return this.#principals.get(tokenHash);
  }
}
