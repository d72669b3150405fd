import {
  hashAccessToken,
  type IssuedToken,
  type IssuedTokens,
  type TokenUses,
} from '../../../core/directory/access-token.ts';
import type { Accounts } from '../../../core/directory/account.ts';
import type { AccessTokens, TokenPrincipal } from '../../../core/directory/authenticate.ts';

interface Credential {
  /** Absent for a token that a test shut out without issuing it. */
  readonly principal?: TokenPrincipal;
  readonly isRevoked?: true;
  readonly lastUsedAt?: string;
}

/** Tokens, in lists and by their hashes: what administration writes, and what authentication reads and notes. */
export class InMemoryAccessTokens implements IssuedTokens, AccessTokens, TokenUses {
  readonly #credentials = new Map<string, Credential>();
  readonly #listed = new Map<string, IssuedToken>();

  readonly #accounts: Pick<Accounts, 'removedAt'> | undefined;

  constructor(accounts?: Pick<Accounts, 'removedAt'>) {
    this.#accounts = accounts;
  }

  get all(): readonly IssuedToken[] {
    return [...this.#listed.values()];
  }

  /** A token that a test names itself. */
  issue(token: string, principal: TokenPrincipal): this {
    this.#credentials.set(hashAccessToken(token), { principal });
    return this;
  }

  shutOut(token: string): void {
    this.#revoke(hashAccessToken(token));
  }

  async add(issued: IssuedToken): Promise<'added' | 'no-account'> {
    const { hash, id, user, account, role, expiresAt } = issued;
    if (await this.#accounts?.removedAt(account)) return 'no-account';
    if (this.#credentials.has(hash) || this.#listed.has(nameOf(issued))) {
      throw new Error(`Token id ${id} or its hash was drawn twice.`);
    }
    const principal = { user, account, role, token: id, ...(expiresAt && { expiresAt }) };
    this.#credentials.set(hash, { principal });
    this.#listed.set(nameOf(issued), issued);
    return 'added';
  }

  async revoke(issued: IssuedToken, revokedAt: string): Promise<void> {
    const listed = this.#listed.get(nameOf(issued));
    if (listed === undefined || listed.revokedAt !== undefined) return;
    this.#listed.set(nameOf(issued), { ...listed, revokedAt });
    this.#revoke(issued.hash);
  }

  async remove(tokens: readonly IssuedToken[]): Promise<void> {
    for (const token of tokens) {
      this.#listed.delete(nameOf(token));
      this.#credentials.delete(token.hash);
    }
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

  async find(account: string, id: string): Promise<IssuedToken | undefined> {
    return this.#listed.get(nameOf({ account, id }));
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
}

const nameOf = ({ account, id }: Pick<IssuedToken, 'account' | 'id'>): string => `${account}/${id}`;
