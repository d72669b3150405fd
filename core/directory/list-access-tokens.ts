import { cursorAt, positionOf } from '../json-ld/cursor.ts';
import type { IssuedToken, ListedToken, TokenList, TokenUses } from './issued-token.ts';
import { withUses } from './list-tokens.ts';

export type ListAccessTokens = (request: {
  account: string;
  limit: number;
  /** The `next` of the page before. */
  cursor?: string | undefined;
}) => Promise<{ tokens: readonly ListedToken[]; totalItems: number; next?: string }>;

const POSITION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#tok_[0-9a-f]{16}$/;

/**
 * A page of an account's tokens, newest first, revoked ones included. `next` is absent on the last
 * page. Throws a `validation` refusal for a text that is not a cursor.
 */
export const buildListAccessTokens =
  (ports: { list: Pick<TokenList, 'listOf'>; uses: TokenUses }): ListAccessTokens =>
  async ({ account, limit, cursor }) => {
    const before = cursor === undefined ? undefined : positionOf(cursor, POSITION);
    const all = await ports.list.listOf(account);
    const rest = all
      .filter((token) => before === undefined || positionAt(token) < before)
      .toSorted((a, b) => (positionAt(a) < positionAt(b) ? 1 : -1));
    const page = rest.slice(0, limit);
    const last = page.at(-1);
    return {
      tokens: await withUses(page, ports.uses),
      totalItems: all.length,
      ...(rest.length > limit && last && { next: cursorAt(positionAt(last)) }),
    };
  };

const positionAt = ({ createdAt, id }: IssuedToken): string => `${createdAt}#${id}`;
