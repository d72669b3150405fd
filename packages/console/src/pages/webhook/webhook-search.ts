import { EVENT_TYPES, type EventType } from '../../api/resources.ts';
import { type ChangeKind, readChangeFilter } from '../../shared/change-words.ts';
import { searchedIdIn } from '../../shared/searched-id.ts';

export const TABS = ['deliveries', 'waiting', 'activity', 'verify', 'settings'] as const;
export const OUTCOMES = ['delivered', 'transient', 'fatal'] as const;
export const OUTCOME_FILTERS = ['undelivered', ...OUTCOMES] as const;

const HOUR_MS = 3_600_000;

/** Periods that end now. */
const PERIOD_MS = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 7 * 24 * HOUR_MS } as const;
type Period = keyof typeof PERIOD_MS;
export const PERIODS = Object.keys(PERIOD_MS) as Period[];

/** The search parameters of a webhook's page: tab, filters, and which delivery is open. */
export interface WebhookSearch {
  readonly tab?: (typeof TABS)[number];
  /** The id of an event, message, contact or call. */
  readonly about?: string;
  readonly outcome?: (typeof OUTCOME_FILTERS)[number];
  readonly type?: EventType;
  readonly within?: Period;
  /** A fixed time span, such as a bar of the chart, instead of `within`. */
  readonly since?: string;
  readonly until?: string;
  /** The kind of the changes in the activity. */
  readonly kind?: ChangeKind;
  /** The id of the event whose delivery is open beside the list. */
  readonly event?: string;
  /** The chart shows hours unless it shows days. */
  readonly chart?: 'days';
}

/** Reads the search parameters that a user may have typed. Unknown values are ignored. */
export const readWebhookSearch = (raw: Readonly<Record<string, unknown>>): WebhookSearch => {
  const since = instant(raw.since);
  const until = instant(raw.until);
  const within = oneOf(PERIODS, raw.within);
  return present({
    tab: oneOf(TABS, raw.tab),
    about: searchedIdIn(raw.about),
    outcome: oneOf(OUTCOME_FILTERS, raw.outcome),
    type: oneOf(EVENT_TYPES, raw.type),
    within: since === undefined && until === undefined ? within : undefined,
    since,
    until: since !== undefined && until !== undefined && until <= since ? undefined : until,
    kind: readChangeFilter(raw).kind,
    event: eventIdIn(raw.event),
    chart: oneOf(['days'] as const, raw.chart),
  });
};

export type Filters = Pick<WebhookSearch, keyof typeof NO_FILTERS>;

export const filtersOf = (search: WebhookSearch): Filters => {
  const { about, outcome, type, within, since, until } = search;
  return present({ about, outcome, type, within, since, until });
};

/** The query of `GET …/deliveries`. */
export const deliveriesQuery = (
  { about, outcome, type, within, since, until }: Filters,
  now: Date,
): Readonly<Record<string, string>> =>
  present({
    about,
    ...(outcome === 'undelivered' ? { delivered: 'false' } : { outcome }),
    eventType: type,
    since: within === undefined ? since : new Date(now.getTime() - PERIOD_MS[within]).toISOString(),
    until,
  });

export const NO_FILTERS = {
  about: undefined,
  outcome: undefined,
  type: undefined,
  within: undefined,
  since: undefined,
  until: undefined,
} as const;

export const isFiltered = (search: WebhookSearch): boolean =>
  Object.keys(filtersOf(search)).length > 0;

const EVENT_ID = /^[A-Za-z0-9_-]{1,64}$/;

const eventIdIn = (text: unknown): string | undefined =>
  typeof text === 'string' && EVENT_ID.test(text) ? text : undefined;

const oneOf = <Word extends string>(words: readonly Word[], value: unknown): Word | undefined =>
  words.find((word) => word === value);

const instant = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
};

const present = <Members extends object>(members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: Exclude<Members[Name], undefined>;
  };
