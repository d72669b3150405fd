import {
  hashAccessToken,
  type IssuedToken,
  type TokenCredentials,
  type TokenList,
  type TokenUses,
} from '../../../core/directory/access-token.ts';
import type { AccessTokens, TokenPrincipal } from '../../../core/directory/authenticate.ts';

interface Credential {
  /** Absent for a token that was revoked before it was added. */
  readonly principal?: TokenPrincipal;
  readonly isRevoked?: true;
  readonly lastUsedAt?: string;
}

/** Tokens by their hashes: what administration writes, and what authentication reads and notes. */
export class InMemoryAccessTokens implements TokenCredentials, AccessTokens, TokenUses {
  readonly #credentials = new Map<string, Credential>();

  /** A token that a test names itself. */
  issue(token: string, principal: TokenPrincipal): this {
    this.#credentials.set(hashAccessToken(token), { principal });
    return this;
  }

  shutOut(token: string): void {
    this.#revoke(hashAccessToken(token));
  }

  async add({
    hash,
    id,
    user,
    account,
    role,
    expiresAt,
  }: IssuedToken): Promise<'added' | 'exists'> {
    if (this.#credentials.has(hash)) return 'exists';
    const principal = { user, account, role, token: id, ...(expiresAt && { expiresAt }) };
    this.#credentials.set(hash, { principal });
    return 'added';
  }

  async revoke({ hash }: IssuedToken): Promise<void> {
    this.#revoke(hash);
  }

  /** Nothing expires here. */
  async erase(tokens: readonly IssuedToken[]): Promise<void> {
    for (const { hash } of tokens) this.#credentials.set(hash, { isRevoked: true });
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

  #revoke(hash: string): void {
    this.#credentials.set(hash, { ...this.#credentials.get(hash), isRevoked: true });
  }
}

export class InMemoryTokenList implements TokenList {
  readonly #tokens = new Map<string, IssuedToken>();

  get all(): readonly IssuedToken[] {
    return [...this.#tokens.values()];
  }

  async add(token: IssuedToken): Promise<void> {
    this.#tokens.set(`${token.account}/${token.id}`, token);
  }

  async find(account: string, id: string): Promise<IssuedToken | undefined> {
    return this.#tokens.get(`${account}/${id}`);
  }

  async listOf(account: string): Promise<readonly IssuedToken[]> {
    return this.all
      .filter((token) => token.account === account)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  async pageOf(account: string, { limit, after }: { limit: number; after?: string | undefined }) {
    const rest = (await this.#withoutSessions(account))
      .toReversed()
      .filter(({ id }) => after === undefined || id < after);
    const tokens = rest.slice(0, limit);
    const last = rest.length > limit ? tokens.at(-1) : undefined;
    return { tokens, ...(last && { next: last.id }) };
  }

  async countOf(account: string): Promise<number> {
    return (await this.#withoutSessions(account)).length;
  }

  async #withoutSessions(account: string): Promise<readonly IssuedToken[]> {
    return (await this.listOf(account)).filter(({ id }) => id.startsWith('tok_'));
  }

  async markRevoked({ account, id }: IssuedToken, revokedAt: string): Promise<void> {
    const token = this.#tokens.get(`${account}/${id}`);
    if (token) this.#tokens.set(`${account}/${id}`, { revokedAt, ...token });
  }

  async remove(tokens: readonly IssuedToken[]): Promise<void> {
    for (const { account, id } of tokens) this.#tokens.delete(`${account}/${id}`);
  }
}
