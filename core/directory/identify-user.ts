import { AdministrationError } from './administration-error.ts';
import type { Identities, IdentityList, SignInIdentity } from './sign-in.ts';
import { existingUser, type Users } from './user.ts';

/** Up to 255 characters, as OpenID Connect Core 1.0 has it in section 2. */
const SUBJECT = /^[\x21-\x7e]{1,255}$/;

/**
 * Lets whoever has the identity sign in as a user; a user may have several identities. Throws
 * `AdministrationError` for an unknown user, for an identity that no provider gives, and for an
 * identity of another user.
 *
 * The identity is listed first, then made valid. A process that dies between the two leaves a listed
 * identity that lets nobody in, and repeating the command makes it valid. In the opposite order it
 * would leave an identity that is not removed with its user.
 */
export const buildIdentifyUser =
  (ports: { users: Users; identityList: IdentityList; identities: Identities }) =>
  async (userId: string, identity: SignInIdentity): Promise<void> => {
    requireIdentity(identity);
    const user = await existingUser(ports.users, userId);
    await ports.identityList.put(user.id, identity);
    if ((await ports.identities.add(user.id, identity)) === 'added') return;
    await ports.identityList.remove(user.id, identity);
    throw new AdministrationError(
      `"${identity.subject}" of ${identity.issuer} signs in as another user already.`,
    );
  };

const requireIdentity = ({ issuer, subject }: SignInIdentity): void => {
  if (!isIssuer(issuer)) {
    throw new AdministrationError(
      `"${issuer}" cannot be an issuer: an address of http or https without query and fragment.`,
    );
  }
  if (!SUBJECT.test(subject)) {
    throw new AdministrationError(
      `"${subject}" cannot be a subject: 1 to 255 printable characters without blanks.`,
    );
  }
};

const isIssuer = (text: string): boolean =>
  /^https?:\/\/[^?#\s]+$/.test(text) && text.length <= 1_000 && URL.canParse(text);
