import { parseRequestDocument } from '../json-ld/request-document.ts';
import { Refusal } from '../refusal.ts';
import { accessTokenDocument } from './access-token-resource.ts';
import {
  buildMakeToken,
  mayHaveToken,
  type NewToken,
  type TokenMakingPorts,
} from './make-token.ts';
import type { Principal } from './principal.ts';

export type CreateAccessToken = (
  principal: Pick<Principal, 'user'>,
  /** The parsed JSON body. */
  body: unknown,
) => Promise<NewToken>;

/**
 * Makes an access token for the calling user. Throws `validation`, `forbidden` for an admin's token
 * of a user who is no admin of the organisation any more, and `not-found` for a user who was
 * removed.
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
