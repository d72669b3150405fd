/** An `admin`, an organisation admin, reads and writes. A `member` reads. */
export const ROLES = ['admin', 'member'] as const;

export type Role = (typeof ROLES)[number];

/** Whom a call is made for: one user, in the user's primary account. */
export interface Principal {
  readonly user: string;
  readonly account: string;
  readonly role: Role;
}
