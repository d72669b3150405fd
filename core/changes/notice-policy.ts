import { HOURS_BETWEEN_REMINDERS } from '../delivery/pending/store-pending.ts';
import { canDeliver, type Integration, keepsEvents } from '../integration/integration.ts';

/** What the admins know of an integration by e-mail. Instants are RFC 3339. */
export interface NoticeState {
  /** Since when it was failed; absent once they know that it recovered. */
  readonly failedSince?: string | undefined;
  /** An instant just before the integration was read for the latest e-mail. */
  readonly sentAt: string;
  /** As `sentAt`, of the latest e-mail about events set aside. */
  readonly setAsideAt?: string | undefined;
  /** How many events were set aside at the latest e-mail. */
  readonly setAside?: number | undefined;
}

export type NoticeKind =
  | 'failed'
  | 'still-failed'
  | 'recovered'
  | 'event-set-aside'
  | 'still-inactive';

/** `hourMs`: the time between two e-mails about an integration, and between two hourly retries. */
interface NoticeClock {
  readonly now: Date;
  readonly hourMs: number;
}

/** What the admins do not know yet. A date: an e-mail may tell them then. */
export const decideNotice = (
  integration: Integration,
  state: NoticeState | undefined,
  clock: NoticeClock,
): NoticeKind | 'nothing-new' | Date => {
  const kind = newsOf(integration, state, clock);
  const due = dueAt(state?.sentAt, 1, clock);
  return kind !== 'nothing-new' && due > clock.now ? due : kind;
};

const newsOf = (
  integration: Integration,
  state: NoticeState | undefined,
  clock: NoticeClock,
): NoticeKind | 'nothing-new' => {
  const { trouble, setAside = 0 } = integration;
  const isDayAfter = (at: string | undefined): boolean =>
    dueAt(at, HOURS_BETWEEN_REMINDERS, clock) <= clock.now;
  if (trouble?.kind === 'failed') {
    if (state?.failedSince !== trouble.since) return 'failed';
    if (isDayAfter(state.sentAt)) return 'still-failed';
  }
  if (state?.failedSince !== undefined && canDeliver(integration)) return 'recovered';
  // First: this e-mail also tells of events set aside, and theirs does not tell that it is inactive.
  if (isReminderNew(integration, state)) return 'still-inactive';
  // Not later on the same day: a request that waits for a day holds up the others of its integration.
  const isSetAsideNew = setAside > (state?.setAside ?? 0) && isDayAfter(state?.setAsideAt);
  return isSetAsideNew ? 'event-set-aside' : 'nothing-new';
};

/** A reminder of an earlier time of inactivity is none. */
const isReminderNew = (integration: Integration, state: NoticeState | undefined): boolean => {
  const { createdAt, inactiveSince = createdAt, remindedAt = '' } = integration;
  return (
    keepsEvents(integration) && remindedAt >= inactiveSince && remindedAt > (state?.sentAt ?? '')
  );
};

const dueAt = (sentAt: string | undefined, hours: number, { now, hourMs }: NoticeClock): Date =>
  sentAt === undefined ? now : new Date(Date.parse(sentAt) + hours * hourMs);

/** What the admins know after an e-mail. Each says how many events are set aside. */
export const stateAfter = (
  kind: NoticeKind,
  { trouble, setAside }: Integration,
  { state, now }: { state: NoticeState | undefined; now: Date },
): NoticeState => {
  const sentAt = now.toISOString();
  const earlierFailure = kind === 'recovered' ? undefined : state?.failedSince;
  return {
    failedSince: trouble?.kind === 'failed' ? trouble.since : earlierFailure,
    sentAt,
    setAsideAt: kind === 'event-set-aside' ? sentAt : state?.setAsideAt,
    setAside,
  };
};
