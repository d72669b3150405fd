import { Refusal } from '../refusal.ts';
import { TOKEN_ID, type TokenCredentials, type TokenList } from './issued-token.ts';
import { revokeListed } from './revoke-token.ts';

export type RevokeAccessToken = (account: string, id: string) => Promise<void>;

/**
 * Revokes a token of an account; revoking again changes nothing. Throws `not-found` also for
 * another account's token.
 */
export const buildRevokeAccessToken =
  (ports: { list: TokenList; credentials: TokenCredentials; now: () => Date }): RevokeAccessToken =>
  async (account, id) => {
    const token = TOKEN_ID.test(id) ? await ports.list.find(account, id) : undefined;
    if (token === undefined) throw new Refusal('not-found', 'There is no such access token.');
    await revokeListed(token, ports);
  };
