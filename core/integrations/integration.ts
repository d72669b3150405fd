import type { EventType } from '../events/event-type.ts';

export type Actions = Readonly<Record<EventType, boolean>>;

/** What the latest attempt came to: a status, or in words why there was none. */
export interface LatestAttempt {
  readonly statusCode?: number | undefined;
  readonly reason?: string | undefined;
  readonly lastAttemptAt: string;
}

/** Why an integration takes no deliveries now. Instants are RFC 3339. */
export interface Trouble extends LatestAttempt {
  readonly kind: 'busy' | 'failed';
  readonly since: string;
  readonly nextAttemptAt: string;
}

/** What stands between an integration and its deliveries. Set by the service, never by the caller. */
type DeliveryState = { readonly kind: 'healthy' } | Trouble;

/** A secret that was rotated away, while the receiver may still verify with it. */
export interface PreviousSecret {
  readonly secret: string;
  /** RFC 3339: the first instant at which it is no longer signed with. */
  readonly expiresAt: string;
}

/** What an integration's deliveries are signed with. */
export interface SigningSecrets {
  /** The signing key as the customer sees it. */
  readonly webhookSecret: string;
  /** Newest first. May hold some that have expired since. */
  readonly previousSecrets?: readonly PreviousSecret[];
}

interface IntegrationConfig extends SigningSecrets {
  readonly baseUrl: string;
  /** Kept for the customer's client applications; never shown, never sent to the endpoint. */
  readonly clientSecret?: string;
}

/** A customer's webhook: where the account's events go, and which. */
export interface Integration {
  readonly account: string;
  /** 12 base62 characters, unique across accounts. */
  readonly id: string;
  readonly active: boolean;
  readonly provider: 'webhook';
  readonly config: IntegrationConfig;
  readonly settings: { readonly actions: Actions };
  /** Grows by one with every change of settings. */
  readonly revision: number;
  /**
   * Grows with every change of settings and every recovery: an attempt that began before one
   * cannot put the integration into trouble after it.
   */
  readonly incident: number;
  /** Consecutive transient results without a success. */
  readonly transients: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly delivery: DeliveryState;
}

/** Which state of an integration something was decided on. */
export type Moment = Pick<Integration, 'account' | 'id' | 'incident'>;

/** Throws a `precondition-failed` refusal when the integration is not as the caller takes it to be. */
export type Precondition = (stored: Integration) => void;

/** Whether deliveries are attempted, and pending ones replayed. */
export const canDeliver = ({ active, delivery }: Integration): boolean =>
  active && delivery.kind === 'healthy';

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
   * Up to `limit` integrations of the account in the order of their ids, from the one after
   * `after`; fewer only at the end. Strongly consistent.
   */
  pageOf(
    account: string,
    options: { limit: number; after?: string | undefined },
  ): Promise<readonly Integration[]>;
}

export interface NewIntegrations {
  /** `exists` when the account has an integration of that id already; it is left as it is. */
  add(integration: Integration): Promise<'added' | 'exists'>;
}

export interface ChangingIntegrations {
  /** Stores the integration if it still is of the incident it was read at; whether it was. */
  replace(integration: Integration, readAt: Moment): Promise<boolean>;
  /** Removes it if it still is of that incident; whether it was. */
  remove(readAt: Moment): Promise<boolean>;
}

/** Changes of the delivery state. Each holds only while the integration is of the moment's incident. */
export interface DeliveryStates {
  /** Adds one to `transients`; the new count, or undefined when the incident is over. */
  countTransient(moment: Moment): Promise<number | undefined>;
  /** Sets `transients` to 0. */
  forgetTransients(moment: Moment): Promise<void>;
  /**
   * Puts the integration into trouble. A failed one stays as it is; a busy one can become failed,
   * and its next attempt is when it was.
   * Whether it is in trouble of this incident now.
   */
  enterTrouble(moment: Moment, trouble: Trouble): Promise<boolean>;
  /** Healthy again, `transients` 0, incident plus one, if it was in trouble; whether it was. */
  leaveTrouble(moment: Moment): Promise<boolean>;
  /** Raises the incident to `next` if the integration is not in trouble; whether it did. */
  closeIncident(moment: Moment, next: number): Promise<boolean>;
  /**
   * Takes the right to the attempt that is due: sets `nextAttemptAt` if it is not later than
   * `dueBy`; whether it was, so that a schedule that fires twice retries once.
   */
  claimRetry(moment: Moment, claim: { dueBy: Date; nextAttemptAt: Date }): Promise<boolean>;
  /** Takes over what the latest attempt came to, if the integration is in trouble. */
  noteAttempt(moment: Moment, latest: LatestAttempt): Promise<void>;
}
