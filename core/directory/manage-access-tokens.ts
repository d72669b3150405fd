import { cursorAt, type PageRequest, positionOf } from '../json-ld/cursor.ts';
import { parseRequestDocument } from '../json-ld/request-document.ts';
import { Refusal } from '../refusal.ts';
import {
  type IssuedToken,
  type ListedToken,
  TOKEN_ID,
  type TokenCredentials,
  type TokenList,
  type TokenUses,
  withUses,
} from './access-token.ts';
import { accessTokenDocument } from './access-token-resource.ts';
import {
  buildMakeToken,
  mayHaveToken,
  type NewToken,
  revokeListed,
  type TokenMakingPorts,
} from './make-token.ts';
import type { Principal } from './user.ts';

export type CreateAccessToken = (
  principal: Pick<Principal, 'user'>,
  body: unknown,
) => Promise<NewToken>;

/**
 * Throws `validation`, `forbidden` for an admin's token of a user who is no longer an admin of the
 * organisation, and `not-found` for a removed user.
 */
export const buildCreateAccessToken = (ports: TokenMakingPorts): CreateAccessToken => {
  const makeToken = buildMakeToken(ports);
  return async ({ user: userId }, body) => {
    const wanted = parseRequestDocument(accessTokenDocument, body, { name: 'AccessToken' });
    const user = await ports.users.find(userId);
    if (user === undefined) throw noSuchUser();
    if (!mayHaveToken(user, wanted.role)) {
      throw new Refusal('forbidden', 'Only an organisation admin may have a token of role admin.');
    }
    const { token, issued, isValid } = await makeToken(user, wanted);
    if (!isValid) throw noSuchUser();
    return { token, issued };
  };
};

const noSuchUser = (): Refusal => new Refusal('not-found', 'There is no such user any more.');

export type ListAccessTokens = (
  request: PageRequest & { account: string },
) => Promise<{ tokens: readonly ListedToken[]; totalItems: number; next?: string }>;

const POSITION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#tok_[0-9a-f]{16}$/;

/** Newest first, revoked ones too. Throws a `validation` refusal for a text that is no cursor. */
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

export type RevokeAccessToken = (account: string, id: string) => Promise<void>;

/** Repeatable. Throws `not-found` also for another account's token. */
export const buildRevokeAccessToken =
  (ports: { list: TokenList; credentials: TokenCredentials; now: () => Date }): RevokeAccessToken =>
  async (account, id) => {
    const token = TOKEN_ID.test(id) ? await ports.list.find(account, id) : undefined;
    if (token === undefined) throw new Refusal('not-found', 'There is no such access token.');
    await revokeListed(token, ports);
  };
