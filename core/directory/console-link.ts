import { createHash } from 'node:crypto';
import type { Role } from './user.ts';

/** What a link opens: a session of a user. Instants are RFC 3339. */
export interface ConsoleLink {
  /** SHA-256 of the code, hexadecimal. */
  readonly hash: string;
  readonly account: string;
  /** The id of a user of the organisation, or a name that the platform gave. */
  readonly user: string;
  /** Present if `user` is one of the organisation, without whom the link opens nothing. */
  readonly isOfUser?: true;
  readonly role: Role;
  /** From then on the code is invalid. */
  readonly validUntil: string;
  /** When the session ends. */
  readonly sessionEndsAt: string;
}

export interface ConsoleLinks {
  add(link: ConsoleLink): Promise<void>;
  /** Removes the link of a code, and returns it to one caller alone. Undefined if it is invalid. */
  take(hash: string, now: Date): Promise<ConsoleLink | undefined>;
}

/** `mcl_` and 256 random bits in base64url: no access token looks like it. */
const CODE = /^mcl_[A-Za-z0-9_-]{43}$/;

export const isLinkCode = (text: string): boolean => CODE.test(text);

export const linkCodeFrom = (randomBytes: Buffer): string =>
  `mcl_${randomBytes.toString('base64url')}`;

/** The SHA-256 of a code, hexadecimal, for storing. */
export const hashLinkCode = (code: string): string =>
  createHash('sha256').update(code).digest('hex');

export interface NewConsoleLink {
  /** With the code, which is not stored, in the fragment, which browsers send to no server. */
  readonly url: string;
  readonly link: ConsoleLink;
}
