import { HOURS_BETWEEN_REMINDERS } from '../delivery/pending/store-pending.ts';
import { canDeliver, type Integration, keepsEvents } from '../integration/integration.ts';
import type { NoticeRequest } from './notice-request.ts';

/** What the admins know of an integration by e-mail. Instants are RFC 3339. */
export interface NoticeState {
  /** Since when it was failed, in the failure of the latest e-mail; absent after an e-mail about its recovery. */
  readonly notifiedSince?: string | undefined;
  /** An instant just before the integration was read for the latest e-mail. */
  readonly sentAt: string;
  /** As `sentAt`, of the latest e-mail about events set aside. */
  readonly setAsideAt?: string | undefined;
  /** How many events were set aside at the latest e-mail. */
  readonly setAside?: number | undefined;
}

/**
 * Why no e-mail is sent. `over`: the integration is not in that state any more. `notified`: an e-mail
 * has said so. `not-notified`: no e-mail was sent about the failure that ended.
 */
type NoNotice = 'deleted' | 'over' | 'notified' | 'not-notified';

/** Why nobody got an e-mail. `refused`: by SES, for all addresses. */
export type Unsent = NoNotice | 'turned-off' | 'no-address' | 'refused';

export type NoticeDecision = 'send' | NoNotice | Date;

interface Known {
  readonly integration: Integration | undefined;
  readonly state: NoticeState | undefined;
}

/** `hourMs`: the time between two e-mails about an integration, and between two hourly retries. */
interface NoticeClock {
  readonly now: Date;
  readonly hourMs: number;
}

/** A date: the request waits until then. */
export const decideNotice = (
  request: NoticeRequest,
  { integration, state }: Known,
  clock: NoticeClock,
): NoticeDecision => {
  if (integration === undefined) return 'deleted';
  const needless = needlessBecause(request, { integration, state }, clock);
  if (needless !== undefined) return needless;
  const due = dueAt(state?.sentAt, 1, clock);
  if (due > clock.now) return due;
  // Only now: within the hour it can fail and recover again, and an e-mail has to say that it recovered.
  return request.kind === 'recovered' && !canDeliver(integration) ? 'over' : 'send';
};

const needlessBecause = (
  { kind, at, since }: NoticeRequest,
  { integration, state }: Known & { integration: Integration },
  clock: NoticeClock,
): NoNotice | undefined => {
  const { trouble, setAside = 0 } = integration;
  const notifiedSince = state?.notifiedSince;
  const isToday = (sentAt: string | undefined): boolean =>
    dueAt(sentAt, HOURS_BETWEEN_REMINDERS, clock) > clock.now;
  if (kind === 'recovered') {
    return notifiedSince === undefined || since === undefined || notifiedSince > since
      ? 'not-notified'
      : undefined;
  }
  if (kind === 'event-set-aside') {
    if (setAside <= 0) return 'over';
    // A request that waited for a day would hold up the later ones of its integration.
    return isToday(state?.setAsideAt) || (state && isCovered(at, state)) ? 'notified' : undefined;
  }
  if (kind === 'still-inactive') {
    if (!keepsEvents(integration)) return 'over';
    return at <= (state?.sentAt ?? '') ? 'notified' : undefined;
  }
  if (trouble?.kind !== 'failed') return 'over';
  const isNotified = notifiedSince === trouble.since;
  return isNotified && isToday(state?.sentAt) ? 'notified' : undefined;
};

/** A change that only the table dates has an instant in whole seconds, rounded down. */
const isCovered = (at: string, { sentAt }: NoticeState): boolean =>
  Date.parse(at) + 1_000 <= Date.parse(sentAt);

const dueAt = (sentAt: string | undefined, hours: number, { now, hourMs }: NoticeClock): Date =>
  sentAt === undefined ? now : new Date(Date.parse(sentAt) + hours * hourMs);

/** In stages of short hours: until the last pending events are delivered, and in the log. */
const LEAST_REPLAY_MS = 5_000;

/**
 * When to look again: the e-mail is to say how many events were delivered, so it waits a minute for
 * the log, and a quarter of an hour at most while pending events are replayed.
 */
export const replayedBy = (
  { kind, at }: NoticeRequest,
  pending: number,
  { now, hourMs }: NoticeClock,
): Date | undefined => {
  const waitMs = Math.max(hourMs / (pending > 0 ? 4 : 60), LEAST_REPLAY_MS);
  const isEarly = kind === 'recovered' && now.getTime() < Date.parse(at) + waitMs;
  return isEarly ? new Date(now.getTime() + hourMs / 60) : undefined;
};

/**
 * Whether the failure of which the admins were notified is over, and no e-mail about the request says so: a later
 * recovery is not the end of that failure.
 */
export const endsUnnoticed = (
  { kind }: NoticeRequest,
  { integration, state }: Known,
  because: Unsent,
): boolean =>
  kind === 'recovered' &&
  state?.notifiedSince !== undefined &&
  because !== 'not-notified' &&
  !(because === 'over' && integration?.active === true);

/** What the admins know after the e-mail that a request caused. */
export const stateAfter = (
  { kind }: NoticeRequest,
  { integration, state }: Known,
  now: Date,
): NoticeState => {
  const sentAt = now.toISOString();
  const setAsideAt = kind === 'event-set-aside' ? sentAt : state?.setAsideAt;
  const known = { sentAt, setAsideAt, setAside: integration?.setAside };
  if (kind === 'recovered') return known;
  const isOfFailure = kind === 'failed' || kind === 'still-failed';
  return {
    ...known,
    notifiedSince: isOfFailure ? integration?.trouble?.since : state?.notifiedSince,
  };
};
