import { EVENT_ID } from '../../event/event.ts';
import type { IntegrationReader } from '../../integration/integration.ts';
import type { IntegrationLists } from '../../integration/integration-store.ts';
import { buildGetIntegration } from '../../integration/read-integration.ts';
import { cursorAt, positionIn } from '../../json-ld/cursor.ts';
import type { Cursor } from '../delivery-log.ts';
import type {
  DeliveryFilter,
  DeliveryLogReader,
  DeliveryPage,
  LoggedDelivery,
} from '../delivery-log-reader.ts';
import type { DeliveryIndex, IndexedPosition } from './delivery-index.ts';
import { subjectIn } from './subject.ts';

interface Search {
  readonly account: string;
  /** The only integration to search; else all that the account has now. */
  readonly integration?: string | undefined;
  /** The id of an event, message, contact or call. */
  readonly about: string;
  readonly filter: DeliveryFilter;
  readonly limit: number;
  readonly after?: Cursor | undefined;
}

export type SearchDeliveries = (search: Search) => Promise<DeliveryPage>;

interface Ports {
  readonly integrations: Pick<IntegrationReader, 'find'> & Pick<IntegrationLists, 'listOf'>;
  readonly index: Pick<DeliveryIndex, 'positionsOf'>;
  readonly deliveryLogReader: Pick<DeliveryLogReader, 'at' | 'find'>;
  readonly now: () => Date;
}

const DAY_MS = 86_400_000;
/** The log orders years of four digits. */
const LAST_MS = Date.UTC(10_000, 0) - 1;

/** Today. After a small read, the next one has twice the days. Days that are begun are finished. */
const FIRST_DAYS = 1;
const SMALL_BYTES = 2_000_000;
/** From then on everything is read at once: little is left that was pending for so long. */
const MOST_DAYS = 32;
/** DynamoDB reads up to 24 MB of a partition a second. */
const MAX_BYTES = 24_000_000;
/** Instants of an integration that are looked up in the log, side by side and for a page. */
const INSTANTS_AT_ONCE = 16;
const MAX_INSTANTS = 400;

/**
 * The order of a search, newest first: `<occurredAt>#<integration>#<event id>`. So a page looks up
 * few of the many deliveries that an event may have.
 */
const POSITION =
  /^(?:\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[0-9A-Za-z]{12}#[A-Za-z0-9_-]{1,64}$/;

const positionOf = ({ event, integration }: LoggedDelivery): string =>
  `${instantOf(Date.parse(event.occurredAt), integration)}#${event.id}`;

const instantOf = (ms: number, integration: string): string =>
  `${new Date(ms).toISOString()}#${integration}`;

/** Sorts before all ids of events. */
const FIRST_ID = '-';
/** Sorts after all positions of an instant. */
const AFTER_INTEGRATIONS = 'z'.repeat(12);

/**
 * A page of the deliveries of a subject to the integrations of an account, newest first, or those of
 * an event, whatever the filter. The index tells where those of a subject may be; the log decides.
 * The work for a page is bounded: with a `next` it may be short, even empty. Throws `not-found`, and
 * a `validation` refusal for what is not a cursor of a search.
 */
export const buildSearchDeliveries = (ports: Ports): SearchDeliveries => {
  const getIntegration = buildGetIntegration(ports);
  const searchedOf = async ({ account, integration }: Search) => {
    if (integration === undefined) return ports.integrations.listOf(account);
    return [await getIntegration(account, integration)];
  };
  return async (search) => {
    const { about, limit } = search;
    const before = search.after && positionIn(search.after, POSITION);
    const ids = (await searchedOf(search)).map(({ id }) => id);
    // The cursor of a list of an event's deliveries has the event's id.
    if (EVENT_ID.test(about) && (before === undefined || before.endsWith(`#${about}`))) {
      const ofEvent = await Promise.all(ids.map((id) => ports.deliveryLogReader.find(id, about)));
      const found = ofEvent.filter((delivery) => delivery !== undefined);
      if (found.length > 0) return pageFrom(inOrder(found, before), limit);
    }
    const found: LoggedDelivery[] = [];
    let [bytes, instants] = [0, 0];
    for await (const step of steps(ids, search, before, ports)) {
      found.push(...step.matches);
      if (found.length > limit) return pageFrom(found, limit);
      bytes += step.bytes;
      instants += step.instants;
      const isEnough = found.length === limit || bytes >= MAX_BYTES || instants >= MAX_INSTANTS;
      if (isEnough) return pageOf(found, step.readTo);
    }
    return pageOf(found);
  };
};

/** Newest first, and none before the end of the page before. */
const inOrder = (deliveries: readonly LoggedDelivery[], before: string | undefined) =>
  deliveries
    .filter((delivery) => before === undefined || positionOf(delivery) < before)
    .toSorted((one, other) => (positionOf(one) < positionOf(other) ? 1 : -1));

/** With a `next` if there are more than the limit. */
const pageFrom = (deliveries: readonly LoggedDelivery[], limit: number): DeliveryPage => {
  const [last] = deliveries.length > limit ? deliveries.slice(limit - 1) : [];
  return pageOf(deliveries.slice(0, limit), last && positionOf(last));
};

const pageOf = (deliveries: readonly LoggedDelivery[], next?: string): DeliveryPage => ({
  deliveries,
  ...(next !== undefined && { next: cursorAt(next) }),
});

interface Step {
  /** Newest first, and newer than those of the next step. */
  readonly matches: readonly LoggedDelivery[];
  /** The position at which the search goes on; undefined at its end. */
  readonly readTo: string | undefined;
  /** Of the index. */
  readonly bytes: number;
  /** That were looked up in the log. */
  readonly instants: number;
}

async function* steps(
  integrations: readonly string[],
  search: Search,
  before: string | undefined,
  ports: Ports,
): AsyncGenerator<Step> {
  const { first, last } = timesOf(search.filter, before);
  const today = dayOf(ports.now().getTime());
  let days = FIRST_DAYS;
  for (let to = dayOf(last); to >= dayOf(first); ) {
    const usual = days < MOST_DAYS ? Math.min(to, today) - days + 1 : 0;
    const from = Math.max(dayOf(first), usual);
    const key = { account: search.account, subject: search.about };
    const { positions, bytes } = await ports.index.positionsOf(key, integrations, { from, to });
    const within = positions.filter(({ occurredAt }) => first <= occurredAt && occurredAt <= last);
    const instants = [
      ...Map.groupBy(within, ({ occurredAt, integration }) => instantOf(occurredAt, integration)),
    ]
      .filter(([instant]) => before === undefined || `${instant}#${FIRST_ID}` < before)
      .toSorted(([one], [other]) => (one < other ? 1 : -1));
    while (instants.length > 0) {
      const some = instants.splice(0, INSTANTS_AT_ONCE);
      const found = await matchesAt(
        some.flatMap(([, at]) => at),
        search,
        ports,
      );
      yield {
        matches: inOrder(found, before),
        readTo: `${some.at(-1)?.[0]}#${FIRST_ID}`,
        bytes: 0,
        instants: some.length,
      };
    }
    to = from - 1;
    const isEnd = to < dayOf(first);
    const end = instantOf((to + 1) * DAY_MS - 1, AFTER_INTEGRATIONS);
    const readTo = isEnd ? undefined : `${end}#${FIRST_ID}`;
    yield { matches: [], readTo, bytes, instants: 0 };
    if (bytes <= SMALL_BYTES) days *= 2;
  }
}

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** The first and the last millisecond of the search. */
const timesOf = ({ since, until }: DeliveryFilter, before: string | undefined) => {
  const cursorMs = before === undefined ? LAST_MS : Date.parse(before.split('#')[0] ?? '');
  const untilMs = until === undefined ? LAST_MS : until.getTime() - 1;
  return { first: Math.max(since?.getTime() ?? 0, 0), last: Math.min(cursorMs, untilMs, LAST_MS) };
};

const matchesAt = async (
  positions: readonly IndexedPosition[],
  { about, filter }: Search,
  { deliveryLogReader }: Ports,
): Promise<readonly LoggedDelivery[]> => {
  const distinct = new Map(
    positions.map((position) => [
      `${instantOf(position.occurredAt, position.integration)} ${position.part}`,
      position,
    ]),
  );
  const isWanted = ({ event }: LoggedDelivery, body: string): boolean =>
    subjectIn(body, event.type) === about;
  const matches = await Promise.all(
    [...distinct.values()].map((position) =>
      deliveryLogReader.at(position.integration, position, { filter, isWanted }),
    ),
  );
  return matches.flat();
};
