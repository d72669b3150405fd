import type { IntegrationSettings } from './settings.ts';

/** Who changes an integration: a user with a token or a sign-in, an operator, or the service itself. */
export type Actor =
  | { readonly kind: 'user'; readonly user: string; readonly token?: string | undefined }
  | { readonly kind: 'operator' | 'service' };

/** In an integration: who made its latest change of settings, or ended its trouble, and when (RFC 3339). */
export type ChangedBy = Actor & { readonly at: string };

/** The latest attempt: a status code, or the name of a reason why there was no answer. */
export interface LatestAttempt {
  readonly statusCode?: number | undefined;
  readonly reason?: string | undefined;
  readonly lastAttemptAt: string;
}

/**
 * Why an integration has an hourly schedule. Instants are RFC 3339.
 * - `waiting`: deliveries go on, and some that were attempted wait for the schedule.
 * - `busy`: too many transient outcomes in a row. It takes no deliveries.
 * - `failed`: a fatal outcome that is not tolerated, too many tolerated refusals in a row, or a
 *   backoff that ended without success. It takes no deliveries.
 */
export interface Trouble extends LatestAttempt {
  readonly kind: 'waiting' | 'busy' | 'failed';
  readonly since: string;
  readonly nextAttemptAt: string;
  /** The id of the event whose refusal made it failed. Absent if no request was sent. */
  readonly event?: string;
  /** The position to which hourly retries have walked through the pending events. */
  readonly walkedTo?: string | undefined;
  /** Whether the endpoint confirmed other events in the window before it failed. */
  readonly confirmedOthers?: boolean;
  /** When the hourly attempts were last claimed, and the id of the message. Absent before. */
  readonly claimedAt?: string;
  readonly claimedBy?: string;
}

/**
 * Outcomes of different deliveries since the latest success. A success that began in it ends it.
 */
export interface Streak {
  /** When the attempt with the first of the outcomes ended. RFC 3339. */
  readonly since: string;
  readonly transients: number;
  /** Refusals that did not make the integration failed. */
  readonly refusals: number;
}

/** How slow the endpoint was lately; see `lanes.ts`. */
export interface Slowness {
  /** In ms. */
  readonly score: number;
  /** RFC 3339. */
  readonly notedAt: string;
}

/** A customer's webhook: which events are sent, and where to. Instants are RFC 3339. */
export interface Integration extends IntegrationSettings {
  readonly account: string;
  /** 12 base62 characters, unique across accounts. */
  readonly id: string;
  readonly provider: 'webhook';
  /** Grows by one with every change of settings. */
  readonly revision: number;
  /**
   * Grows when settings change, a trouble ends, or a schedule finds nothing to do. An attempt that
   * began in an earlier epoch cannot begin a trouble in this one.
   */
  readonly epoch: number;
  /** Absent while the latest known outcome is a success. */
  readonly streak?: Streak;
  /** When the latest success began that ended a trouble or a streak. Others are not written. */
  readonly confirmedAt?: string;
  /** Until when the run of a replay lasts at most. Absent when the replay is over. RFC 3339. */
  readonly replayingUntil?: string;
  /** Absent while the endpoint is fast. */
  readonly slowness?: Slowness;
  /** How many deliveries are set aside; absent before the first. */
  readonly setAside?: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When it became inactive. Absent while it is active, or if it never was. */
  readonly inactiveSince?: string | undefined;
  /** When an event that is kept while it is inactive last asked for an e-mail to the admins. */
  readonly remindedAt?: string;
  /** Written with the change itself. */
  readonly changedBy: ChangedBy;
  /** Noted before the removal. */
  readonly deletedBy?: ChangedBy;
  /** Absent while no delivery waits for an hourly schedule. */
  readonly trouble?: Trouble;
}

/** An integration in one of its epochs. Writes that name an epoch fail when the epoch is over. */
export type IntegrationEpoch = Pick<Integration, 'account' | 'id' | 'epoch'>;

export const INTEGRATION_STATUSES = ['active', 'inactive', 'busy', 'failed'] as const;

export type IntegrationStatus = (typeof INTEGRATION_STATUSES)[number];

/** As the API shows it. A waiting integration is active. */
export const statusOf = ({
  active,
  trouble,
}: Pick<Integration, 'active' | 'trouble'>): IntegrationStatus => {
  if (!active) return 'inactive';
  return trouble?.kind === 'failed' || trouble?.kind === 'busy' ? trouble.kind : 'active';
};

export const isStopped = ({ trouble }: Pick<Integration, 'trouble'>): boolean =>
  trouble?.kind === 'busy' || trouble?.kind === 'failed';

/** Whether it is inactive, and its events are stored. */
export const keepsEvents = ({
  active,
  settings,
}: Pick<Integration, 'active' | 'settings'>): boolean =>
  !active && settings.whileInactive === 'keep';

/** Whether new deliveries to the integration are attempted. */
export const canDeliver = (integration: Pick<Integration, 'active' | 'trouble'>): boolean =>
  integration.active && !isStopped(integration);

/** Whether its pending events are being replayed: it gets them beside new ones. */
export const isReplaying = (
  { replayingUntil = '' }: Pick<Integration, 'replayingUntil'>,
  at: Date,
) => replayingUntil > at.toISOString();

export type IntegrationKey = Pick<Integration, 'account' | 'id'>;

/** Reads integrations, strongly consistent: an integration that was just created is found. */
export interface IntegrationReader {
  find(account: string, id: string): Promise<Integration | undefined>;
  /** For each key the integration, undefined, or its error. Throws when nothing could be read. */
  findAll(keys: readonly IntegrationKey[]): Promise<readonly (Integration | undefined | Error)[]>;
}
