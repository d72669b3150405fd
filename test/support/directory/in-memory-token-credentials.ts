import type {
  IssuedToken,
  TokenCredentials,
  TokenUses,
} from '../../../core/directory/access-token.ts';
import type { AccessTokens, TokenPrincipal } from '../../../core/directory/authenticate.ts';
import type { Principal } from '../../../core/directory/user.ts';

interface Credential {
  /** Absent for a token that was revoked before it was added. */
  readonly principal?: Principal;
  readonly isRevoked?: true;
  readonly lastUsedAt?: string;
}

/** Tokens by their hashes: what administration writes, and what authentication reads and notes. */
export class InMemoryTokenCredentials implements TokenCredentials, AccessTokens, TokenUses {
  readonly #credentials = new Map<string, Credential>();

  async add({ hash, user, account, role }: IssuedToken): Promise<'added' | 'exists'> {
    return this.addPrincipal(hash, { user, account, role });
  }

  async revoke({ hash }: IssuedToken): Promise<void> {
    this.revokeHash(hash);
  }

  async findPrincipal(tokenHash: string): Promise<TokenPrincipal | undefined> {
    const { principal, isRevoked, lastUsedAt } = this.#credentials.get(tokenHash) ?? {};
    if (principal === undefined || isRevoked) return undefined;
    return { ...principal, ...(lastUsedAt !== undefined && { lastUsedAt }) };
  }

  async noteUse(
    tokenHash: string,
    { usedAt, unlessAfter }: { usedAt: string; unlessAfter: string },
  ): Promise<void> {
    const credential = this.#credentials.get(tokenHash);
    if (credential === undefined || (credential.lastUsedAt ?? '') > unlessAfter) return;
    this.#credentials.set(tokenHash, { ...credential, lastUsedAt: usedAt });
  }

  async lastUsesOf(hashes: readonly string[]): Promise<readonly (string | undefined)[]> {
    return hashes.map((hash) => this.#credentials.get(hash)?.lastUsedAt);
  }

  protected addPrincipal(hash: string, principal: Principal): 'added' | 'exists' {
    if (this.#credentials.has(hash)) return 'exists';
    this.#credentials.set(hash, { principal });
    return 'added';
  }

  protected revokeHash(hash: string): void {
    this.#credentials.set(hash, { ...this.#credentials.get(hash), isRevoked: true });
  }
}
