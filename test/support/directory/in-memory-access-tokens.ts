import { hashAccessToken } from '../../../core/directory/access-token.ts';
import type { Principal } from '../../../core/directory/user.ts';
import { InMemoryTokenCredentials } from './in-memory-token-credentials.ts';

/** Access tokens that a test names itself. */
export class InMemoryAccessTokens extends InMemoryTokenCredentials {
  issue(token: string, principal: Principal): this {
    this.addPrincipal(hashAccessToken(token), principal);
    return this;
  }

  shutOut(token: string): void {
    this.revokeHash(hashAccessToken(token));
  }
}
