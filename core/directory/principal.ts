/** `admin` is an organisation admin: reads and writes. `member` reads. */
export const ROLES = ['admin', 'member'] as const;

export type Role = (typeof ROLES)[number];

/** Who a call speaks for: one user, in one account (the top, non-messaging one). */
export interface Principal {
  readonly user: string;
  readonly account: string;
  readonly role: Role;
}
