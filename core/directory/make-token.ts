import {
  accessTokenFrom,
  hashAccessToken,
  type IssuedToken,
  type IssuedTokens,
  TOKEN_PREFIX,
} from './access-token.ts';
import { type Role, roleOf, type User, type Users } from './user.ts';

interface Owner extends Pick<IssuedToken, 'user' | 'account'> {
  /** Whether the owner was not removed meanwhile. */
  readonly isThere: () => Promise<boolean>;
}

export interface NewToken {
  /** The token itself, which is not stored: from now on only its owner has it. */
  readonly token: string;
  readonly issued: IssuedToken;
}

export interface TokenMakingPorts {
  readonly tokens: IssuedTokens;
  readonly now: () => Date;
  readonly randomBytes: (size: number) => Buffer;
}

/** Whether a user may have a token of a role: `admin` only for an admin of the organisation. */
export const mayHaveToken = (user: User, role: Role): boolean =>
  role === 'member' || roleOf(user) === 'admin';

/** A user as the owner of a token in the user's primary account. */
export const ownerOf = (
  { id, primaryAccount }: User,
  { users }: { readonly users: Pick<Users, 'find'> },
): Owner => ({
  user: id,
  account: primaryAccount,
  isThere: async () => (await users.find(id)) !== undefined,
});

/**
 * Makes a token. The owner is looked up at the end: `isValid` is false, and the token removed, when
 * the owner was removed meanwhile, or its account is. If the process dies before, nobody has the token.
 */
export const buildMakeToken =
  (ports: TokenMakingPorts) =>
  async (
    { user, account, isThere }: Owner,
    {
      role,
      name,
      expiresAt,
      prefix = TOKEN_PREFIX,
    }: Pick<IssuedToken, 'role' | 'name' | 'expiresAt'> & { readonly prefix?: 'tok_' | 'ses_' },
  ): Promise<NewToken & { readonly isValid: boolean }> => {
    const token = accessTokenFrom(ports.randomBytes(32));
    const createdAt = ports.now();
    const issued: IssuedToken = {
      id: prefix + timeOrdered(createdAt, ports.randomBytes(3)),
      hash: hashAccessToken(token),
      name,
      user,
      account,
      role,
      createdAt: createdAt.toISOString(),
      ...(expiresAt !== undefined && { expiresAt }),
    };
    if ((await ports.tokens.add(issued)) === 'no-account') return { token, issued, isValid: false };
    const isValid = await isThere();
    if (!isValid) await ports.tokens.remove([issued]);
    return { token, issued, isValid };
  };

/** Ids sort by time, so that a list reads a page alone: 44 bits of milliseconds, 20 random ones. */
const timeOrdered = (createdAt: Date, random: Buffer): string =>
  `${createdAt.getTime().toString(16).padStart(11, '0')}${random.toString('hex').slice(1)}`;

/** Repeatable: a token keeps the instant of its first revocation. */
export const revoke = async (
  token: IssuedToken,
  { tokens, now }: Pick<TokenMakingPorts, 'tokens' | 'now'>,
): Promise<IssuedToken & { readonly revokedAt: string }> => {
  const revokedAt = token.revokedAt ?? now().toISOString();
  await tokens.revoke(token, revokedAt);
  return { ...token, revokedAt };
};
