import type { Platform } from './platform-of.ts';

/** The id of a new token that nobody uses: revoking that token refuses no call. */
export const newUnusedToken = async (
  account: string,
  call: Platform['call'],
  admin: { readonly token?: string } = {},
): Promise<string> => {
  const body = { name: 'To be revoked', role: 'member' };
  const { document } = await call('POST', `/${account}/access-tokens`, { body, ...admin });
  return String(document.id).split('/').at(-1) ?? '';
};
