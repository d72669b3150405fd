import { EVENT_ID } from '../../event/event.ts';
import type { IntegrationKey, IntegrationReader } from '../../integration/integration.ts';
import { buildGetIntegration } from '../../integration/read-integration.ts';
import { cursorAt } from '../../json-ld/cursor.ts';
import { positionOf } from '../delivery.ts';
import type { Cursor } from '../delivery-log.ts';
import {
  type DeliveryFilter,
  type DeliveryLogReader,
  type DeliveryPage,
  type LoggedDelivery,
  type LogPosition,
  positionIn,
} from '../delivery-log-reader.ts';
import type { DeliveryIndex } from './delivery-index.ts';
import { subjectIn } from './subject.ts';

interface Search {
  /** The id of an event, message, contact or call. */
  readonly about: string;
  readonly filter: DeliveryFilter;
  readonly limit: number;
  readonly after?: Cursor | undefined;
}

export type SearchDeliveries = (of: IntegrationKey, search: Search) => Promise<DeliveryPage>;

interface Ports {
  readonly integrations: Pick<IntegrationReader, 'find'>;
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
/** Instants that are looked up in the log, side by side and for a page. */
const INSTANTS_AT_ONCE = 16;
const MAX_INSTANTS = 400;

/** Sorts before all ids of events, and after all. */
const FIRST_ID = '-';
const LAST_ID = 'z'.repeat(64);

/**
 * A page of the deliveries of a subject, newest first, or the delivery of an event, whatever the
 * filter. The index tells where those of a subject may be; the log decides. The work for a page is
 * bounded: with a `next` it may be short, even empty. Throws `not-found`.
 */
export const buildSearchDeliveries = (ports: Ports): SearchDeliveries => {
  const getIntegration = buildGetIntegration(ports);
  return async ({ account, id }, search) => {
    await getIntegration(account, id);
    const { about, after, limit } = search;
    if (after === undefined && EVENT_ID.test(about)) {
      const ofEvent = await ports.deliveryLogReader.find(id, about);
      if (ofEvent) return pageOf([ofEvent]);
    }
    const found: LoggedDelivery[] = [];
    let [bytes, instants] = [0, 0];
    for await (const step of steps(id, search, ports)) {
      found.push(...step.matches);
      const last = found[limit - 1];
      if (last && found.length > limit) return pageOf(found.slice(0, limit), positionOf(last));
      bytes += step.bytes;
      instants += step.instants;
      const isEnough = found.length === limit || bytes >= MAX_BYTES || instants >= MAX_INSTANTS;
      if (isEnough) return pageOf(found, step.readTo);
    }
    return pageOf(found);
  };
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

async function* steps(integration: string, search: Search, ports: Ports): AsyncGenerator<Step> {
  const before = search.after && positionIn(search.after);
  const { first, last } = timesOf(search.filter, before);
  const today = dayOf(ports.now().getTime());
  let days = FIRST_DAYS;
  for (let to = dayOf(last); to >= dayOf(first); ) {
    const usual = days < MOST_DAYS ? Math.min(to, today) - days + 1 : 0;
    const from = Math.max(dayOf(first), usual);
    const key = { integration, subject: search.about };
    const { positions, bytes } = await ports.index.positionsOf(key, { from, to });
    const within = positions.filter(({ occurredAt }) => first <= occurredAt && occurredAt <= last);
    const instants = [...Map.groupBy(within, ({ occurredAt }) => occurredAt)].toSorted(
      ([one], [other]) => other - one,
    );
    while (instants.length > 0) {
      const some = instants.splice(0, INSTANTS_AT_ONCE);
      const matches = await matchesAt(
        some.flatMap(([, at]) => at),
        integration,
        search,
        ports,
      );
      yield {
        matches: matches.filter((match) => before === undefined || positionOf(match) < before),
        readTo: positionAt(some.at(-1)?.[0] ?? 0, FIRST_ID),
        bytes: 0,
        instants: some.length,
      };
    }
    to = from - 1;
    const isEnd = to < dayOf(first);
    const readTo = isEnd ? undefined : positionAt((to + 1) * DAY_MS - 1, LAST_ID);
    yield { matches: [], readTo, bytes, instants: 0 };
    if (bytes <= SMALL_BYTES) days *= 2;
  }
}

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

const positionAt = (ms: number, id: string): string => `${new Date(ms).toISOString()}#${id}`;

/** The first and the last millisecond of the search. */
const timesOf = ({ since, until }: DeliveryFilter, before: string | undefined) => {
  const cursorMs = before === undefined ? LAST_MS : Date.parse(before.split('#')[0] ?? '');
  const untilMs = until === undefined ? LAST_MS : until.getTime() - 1;
  return { first: Math.max(since?.getTime() ?? 0, 0), last: Math.min(cursorMs, untilMs, LAST_MS) };
};

const matchesAt = async (
  positions: readonly LogPosition[],
  integration: string,
  { about, filter }: Search,
  { deliveryLogReader }: Ports,
): Promise<readonly LoggedDelivery[]> => {
  const distinct = new Map(
    positions.map((position) => [`${position.occurredAt} ${position.part}`, position]),
  );
  const isWanted = ({ event }: LoggedDelivery, body: string): boolean =>
    subjectIn(body, event.type) === about;
  const matches = await Promise.all(
    [...distinct.values()].map((position) =>
      deliveryLogReader.at(integration, position, { filter, isWanted }),
    ),
  );
  return matches.flat().toSorted((one, other) => (positionOf(one) < positionOf(other) ? 1 : -1));
};
