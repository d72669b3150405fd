import type { Actor } from '../integration/integration.ts';

/** Kinds of changes, as the API, the event bus and the console name them. */
export const CHANGE_KINDS = [
  'created',
  'settings-changed',
  'secret-rotated',
  'activated',
  'deactivated',
  'deleted',
  'busy',
  'failed',
  'recovered',
  'event-set-aside',
] as const;

export type ChangeKind = (typeof CHANGE_KINDS)[number];

/**
 * A member that changed. Secrets and headers have no values, nor has an address that is shown as
 * before.
 */
export interface ChangedMember {
  /** As a path in the integration's document, such as `config.baseUrl`. */
  readonly member: string;
  readonly from?: string | boolean;
  readonly to?: string | boolean;
}

/** How a trouble ended: by a success, a change or a request, or as a retry found nothing pending. */
export const ENDED_BY = ['success', 'settings', 'request', 'nothing-pending'] as const;

/** What happened to an integration. Instants are RFC 3339. */
export interface Change {
  /** The same for each repetition of the change. */
  readonly id: string;
  readonly kind: ChangeKind;
  readonly at: string;
  readonly account: string;
  readonly integration: string;
  /** The address at the time, as `shownAddress` has it. */
  readonly baseUrl: string;
  /** Of the integration at the time. */
  readonly description?: string | undefined;
  readonly by: Actor;
  /** Of `settings-changed`. */
  readonly members?: readonly ChangedMember[];
  /** Of `busy`, `failed` and `recovered`: the latest error of the endpoint. */
  readonly statusCode?: number;
  /** The name of the reason, if there was no answer. */
  readonly reason?: string;
  /** Of `recovered`. */
  readonly endedBy?: (typeof ENDED_BY)[number];
  /** Of `failed` and `recovered`: since when the integration is, or was, in this trouble. */
  readonly since?: string;
  /** Of `event-set-aside`: the number of events. */
  readonly count?: number;
}
