import type { AccessToken } from '../../api/resources.ts';

/** How and when a token ended; undefined while it is in force. */
export const endOf = (
  { revokedAt, expiresAt }: Pick<AccessToken, 'revokedAt' | 'expiresAt'>,
  now: Date,
): { readonly how: 'Revoked' | 'Expired'; readonly at: string } | undefined => {
  if (revokedAt !== undefined) return { how: 'Revoked', at: revokedAt };
  const isExpired = expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime();
  return isExpired ? { how: 'Expired', at: expiresAt } : undefined;
};
