import { EVENT_TYPES, type EventType } from '../event/event-types.ts';

export type Actions = Readonly<Record<EventType, boolean>>;

/** What the latest attempt came to: a status code, or in words why there was no answer. */
export interface LatestAttempt {
  readonly statusCode?: number | undefined;
  readonly reason?: string | undefined;
  readonly lastAttemptAt: string;
}

/** Why an integration takes no deliveries now. Set by the service, never by the caller. Instants are RFC 3339. */
export interface Trouble extends LatestAttempt {
  readonly kind: 'busy' | 'failed';
  readonly since: string;
  readonly nextAttemptAt: string;
}

/** A secret that was rotated away, while the receiver may still verify with it. */
export interface PreviousSecret {
  readonly secret: string;
  /** RFC 3339: the first instant at which deliveries are no longer signed with the secret. */
  readonly expiresAt: string;
}

/** What an integration's deliveries are signed with. */
export interface SigningSecrets {
  /** The signing key as the customer sees it. */
  readonly webhookSecret: string;
  /** Newest first. Some may have expired since. */
  readonly previousSecrets?: readonly PreviousSecret[];
}

/** The previous secrets that deliveries are still signed with at an instant. */
export const inForce = (
  previousSecrets: readonly PreviousSecret[] | undefined,
  now: Date,
): readonly PreviousSecret[] =>
  (previousSecrets ?? []).filter(({ expiresAt }) => expiresAt > now.toISOString());

export const subscribedTo = (...types: readonly EventType[]): Actions =>
  Object.fromEntries(EVENT_TYPES.map((type) => [type, types.includes(type)])) as Actions;

/** What the customer sets and may change. */
export interface IntegrationSettings {
  readonly active: boolean;
  readonly config: SigningSecrets & {
    readonly baseUrl: string;
    /** Kept for the customer's client applications; never shown, never sent to the endpoint. */
    readonly clientSecret?: string;
  };
  readonly settings: { readonly actions: Actions };
}

/** A customer's webhook: where the account's events go, and which. */
export interface Integration extends IntegrationSettings {
  readonly account: string;
  /** 12 base62 characters, unique across accounts. */
  readonly id: string;
  readonly provider: 'webhook';
  /** Grows by one with every change of settings. */
  readonly revision: number;
  /**
   * Grows with every change of settings and every end of a trouble: an attempt that began before
   * cannot put the integration into trouble after it.
   */
  readonly epoch: number;
  /** Consecutive transient results without a success. */
  readonly transients: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Absent while the integration can take deliveries. */
  readonly trouble?: Trouble;
}

/** The epoch of an integration that something was decided in. */
export type IntegrationEpoch = Pick<Integration, 'account' | 'id' | 'epoch'>;

/** Throws a `precondition-failed` refusal when the integration is not as the caller takes it to be. */
export type Precondition = (stored: Integration) => void;

/** Whether deliveries are attempted, and pending ones replayed. */
export const canDeliver = ({ active, trouble }: Integration): boolean =>
  active && trouble === undefined;

export interface IntegrationStore {
  /** Strongly consistent: what was just created is found. */
  find(account: string, id: string): Promise<Integration | undefined>;
}

export interface AccountIntegrations {
  /** Every integration of the account, strongly consistent, in no particular order. */
  listOf(account: string): Promise<readonly Integration[]>;
}

export interface IntegrationPages {
  /**
   * Up to `limit` integrations of the account in the order of their ids, after the id `after`;
   * fewer only at the end. Strongly consistent.
   */
  pageOf(
    account: string,
    options: { limit: number; after?: string | undefined },
  ): Promise<readonly Integration[]>;
}

export interface NewIntegrations {
  /** `exists` when the account has an integration of that id already, which stays as it is. */
  add(integration: Integration): Promise<'added' | 'exists'>;
}

export interface ChangingIntegrations {
  /** Stores the integration if it still is in the epoch in which it was read; whether it was. */
  replace(integration: Integration, readAt: IntegrationEpoch): Promise<boolean>;
  /** Removes the integration if it still is in that epoch; whether it was. */
  remove(readAt: IntegrationEpoch): Promise<boolean>;
}
