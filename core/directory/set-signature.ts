import { AdministrationError } from './administration-error.ts';
import { existingUser, type Users } from './user.ts';

export interface WritableSignatures {
  /** Replaces the user's signature. */
  write(user: string, content: string): Promise<void>;
  remove(user: string): Promise<void>;
}

const MAX_CHARACTERS = 1_600;

/**
 * Sets a user's signature; an empty text removes the signature. Throws `AdministrationError` for an
 * unknown user and for a text of more than 1,600 characters.
 */
export const buildSetSignature =
  (ports: { users: Users; signatures: WritableSignatures }) =>
  async (userId: string, content: string): Promise<void> => {
    const characters = [...content].length;
    if (characters > MAX_CHARACTERS) {
      throw new AdministrationError(
        `A signature has at most ${MAX_CHARACTERS} characters; this one has ${characters}.`,
      );
    }
    const user = await existingUser(ports.users, userId);
    await ports.signatures.write(user.id, content);
  };
