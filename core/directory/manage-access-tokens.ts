import { customerLimits, IN_WORDS } from '../customer-limits.ts';
import { cursorAt, type PageRequest, positionIn } from '../json-ld/cursor.ts';
import { parseRequestDocument } from '../json-ld/request-document.ts';
import { Refusal } from '../refusal.ts';
import {
  hasExpired,
  type IssuedTokens,
  type ListedToken,
  TOKEN_ID,
  type TokenUses,
  withUses,
} from './access-token.ts';
import { accessTokenDocument } from './access-token-resource.ts';
import {
  buildMakeToken,
  mayHaveToken,
  type NewToken,
  ownerOf,
  revoke,
  type TokenMakingPorts,
} from './make-token.ts';
import type { Principal, Users } from './user.ts';

export type CreateAccessToken = (
  principal: Pick<Principal, 'user' | 'account' | 'expiresAt'>,
  body: unknown,
) => Promise<NewToken>;

/**
 * Throws `validation`, `forbidden` for an admin's token of a user who is no longer an admin of the
 * organisation, `not-found` for a removed user and for the name that a console link gave, and
 * `access-token-quota`. Parallel creations may exceed the quota, as those of integrations.
 */
export const buildCreateAccessToken = (
  ports: TokenMakingPorts & { users: Pick<Users, 'find'> },
): CreateAccessToken => {
  const makeToken = buildMakeToken(ports);
  return async ({ user: userId, account, expiresAt: callerExpiresAt }, body) => {
    const wanted = parseRequestDocument(accessTokenDocument, body, { name: 'AccessToken' });
    const expiresAt = wanted.expiresAt && new Date(wanted.expiresAt).toISOString();
    if (expiresAt !== undefined && hasExpired({ expiresAt }, ports.now())) {
      throw invalidExpiry('must be later than now');
    }
    if (
      callerExpiresAt !== undefined &&
      !(expiresAt !== undefined && expiresAt <= callerExpiresAt)
    ) {
      throw invalidExpiry(
        `must be at most ${callerExpiresAt}, when the token that you call with expires`,
      );
    }
    const user = await ports.users.find(userId);
    // The name that a console link gave may be the id of another organisation's user.
    if (user?.primaryAccount !== account) throw noSuchUser();
    if (!mayHaveToken(user, wanted.role)) {
      throw new Refusal('forbidden', 'Only an organisation admin may have a token of role admin.');
    }
    if (
      (await ports.tokens.countOf(user.primaryAccount)) >= customerLimits.accessTokensPerAccount
    ) {
      throw new Refusal(
        'access-token-quota',
        `The account has ${IN_WORDS.accessTokens}, the most allowed. Those revoked or expired in the last 30 days count.`,
      );
    }
    const { token, issued, isValid } = await makeToken(ownerOf(user, ports), {
      ...wanted,
      expiresAt,
    });
    if (!isValid) throw noSuchUser();
    return { token, issued };
  };
};

const invalidExpiry = (detail: string): Refusal =>
  new Refusal('validation', 'The access token is not valid.', [{ pointer: '/expiresAt', detail }]);

const noSuchUser = (): Refusal => new Refusal('not-found', 'The user does not exist.');

export type ListAccessTokens = (
  request: PageRequest & { account: string },
) => Promise<{ tokens: readonly ListedToken[]; next?: string }>;

/** Newest first, revoked ones too. Throws a `validation` refusal for a text that is no cursor. */
export const buildListAccessTokens =
  (ports: { tokens: Pick<IssuedTokens, 'pageOf'>; uses: TokenUses }): ListAccessTokens =>
  async ({ account, limit, cursor }) => {
    const after = cursor === undefined ? undefined : positionIn(cursor, TOKEN_ID);
    const { tokens, next } = await ports.tokens.pageOf(account, { limit, after });
    return {
      tokens: await withUses(tokens, ports.uses),
      ...(next !== undefined && { next: cursorAt(next) }),
    };
  };

export type RevokeAccessToken = (account: string, id: string) => Promise<void>;

/** Repeatable. Throws `not-found` also for another account's token. */
export const buildRevokeAccessToken =
  (ports: { tokens: IssuedTokens; now: () => Date }): RevokeAccessToken =>
  async (account, id) => {
    const token = TOKEN_ID.test(id) ? await ports.tokens.find(account, id) : undefined;
    if (token === undefined) throw new Refusal('not-found', 'The access token does not exist.');
    await revoke(token, ports);
  };
