import { createHash } from 'node:crypto';
import type {
  IndexedPosition,
  StreamedDelivery,
  SubjectKey,
} from '../../../core/delivery/search/delivery-index.ts';
import { PARTITIONS, type PartitionedKey, partitionNumberOf } from '../table/stored-deliveries.ts';

/**
 * An item of table DeliveryIndex: entries of some deliveries of a batch of the log's stream, whose
 * events occurred on one day of UTC. `partition` is `<parts>#<part>`: a batch is divided by the
 * hashes of its subjects into 1 to 64 parts. `entry` is `<day>#<shard>#<position of the first
 * delivery>#<number of deliveries>`, so that a batch that comes again replaces its own items.
 */
export interface DeliveryIndexItem extends PartitionedKey {
  readonly entries: Uint8Array;
  /** Seconds since 1970: the latest time at which the log forgets one of them. */
  readonly expiresAt: number;
}

/**
 * Fewer parts cost fewer write units, more parts cost less to read: a search reads one part. A
 * batch of 1,000 is divided into 64, with about 16 entries each; an item below 1 KB is a write unit.
 */
const LEAST_ENTRIES = 8;
const MOST_PARTS = 64;

/** Every division that there can be: 1, 2, 4 and so on. */
const DIVISIONS = Array.from({ length: Math.log2(MOST_PARTS) + 1 }, (_, power) => 2 ** power);

const divisionFor = (entries: number): number =>
  DIVISIONS.findLast((parts) => parts * LEAST_ENTRIES <= entries) ?? 1;

/**
 * An entry: four bytes of the subject's hash, the milliseconds of the day at which the event
 * occurred, and where the log has it: 13 bits of a hash of the integration, 3 of its part. So one
 * of 8,000 other integrations is looked up in vain.
 */
export const ENTRY_BYTES = 10;
const TIME_AT = 4;
const PLACE_AT = 8;
const INTEGRATION_HASHES = 2 ** 16 / PARTITIONS;

interface SubjectHash {
  readonly match: Uint8Array;
  /** Decides the part of the index. */
  readonly byte: number;
}

const hashOf = ({ account, subject }: SubjectKey): SubjectHash => {
  const hash = createHash('sha256').update(`${account} ${subject}`).digest();
  return { match: hash.subarray(0, TIME_AT), byte: hash.readUInt8(TIME_AT) };
};

const integrationHash = (integration: string): number =>
  createHash('sha256').update(integration).digest().readUInt16BE() % INTEGRATION_HASHES;

const partitionIn = (parts: number, { byte }: SubjectHash): string => `${parts}#${byte % parts}`;

/** The partitions that may have a subject: one of each division. */
export const indexPartitionsOf = (key: SubjectKey): readonly string[] => {
  const hash = hashOf(key);
  return DIVISIONS.map((parts) => partitionIn(parts, hash));
};

const DAY_MS = 86_400_000;
const LAST_MS = Date.UTC(10_000, 0) - 1;

const DAY_LENGTH = '2026-11-20'.length;

/** A day of UTC, counted from 1970-01-01, as it begins the sort keys of items. */
export const dayText = (day: number): string =>
  new Date(day * DAY_MS).toISOString().slice(0, DAY_LENGTH);

interface Indexed {
  readonly delivery: StreamedDelivery;
  readonly occurredAt: number;
  readonly hash: SubjectHash;
}

export const deliveryIndexItems = (
  shard: string,
  deliveries: readonly StreamedDelivery[],
): readonly DeliveryIndexItem[] => {
  const indexed = deliveries
    .map((delivery) => ({
      delivery,
      occurredAt: Date.parse(delivery.event.occurredAt),
      hash: hashOf(delivery),
    }))
    // Others have no position in the order of the log.
    .filter(({ occurredAt }) => occurredAt >= 0 && occurredAt <= LAST_MS);
  const days = Map.groupBy(indexed, ({ occurredAt }) => Math.floor(occurredAt / DAY_MS));
  return [...days].flatMap(([day, ofDay]) => {
    const parts = divisionFor(ofDay.length);
    const partitions = Map.groupBy(ofDay, ({ hash }) => partitionIn(parts, hash));
    return [...partitions].map(([partition, some]) => ({
      partition,
      entry: [dayText(day), shardText(shard), positionText(some), some.length].join('#'),
      entries: Buffer.concat(some.map(entryOf)),
      expiresAt: Math.max(...some.map(({ delivery }) => delivery.expiresAt)),
    }));
  });
};

const shardText = (shard: string): string => shard.replace(/^shardId-/, '');

const positionText = ([first]: readonly Indexed[]): string =>
  first?.delivery.position.replace(/^0+/, '') ?? '';

const entryOf = ({ delivery, occurredAt, hash }: Indexed): Buffer => {
  const entry = Buffer.alloc(ENTRY_BYTES);
  entry.set(hash.match);
  entry.writeUInt32BE(occurredAt % DAY_MS, TIME_AT);
  const hashes = integrationHash(delivery.integration) * PARTITIONS;
  entry.writeUInt16BE(hashes + partitionNumberOf(delivery.event.id), PLACE_AT);
  return entry;
};

/**
 * Reads the positions that items have of a subject's deliveries to some integrations, and rarely of
 * others with the same hashes.
 */
export const positionsReader = (key: SubjectKey, integrations: readonly string[]) => {
  const { match } = hashOf(key);
  const byHash = Map.groupBy(integrations, integrationHash);
  return ({ entry, entries }: Pick<DeliveryIndexItem, 'entry' | 'entries'>) => {
    const dayMs = Date.parse(entry.slice(0, DAY_LENGTH));
    const bytes = Buffer.from(entries.buffer, entries.byteOffset, entries.byteLength);
    const positions: IndexedPosition[] = [];
    for (let at = bytes.indexOf(match); at >= 0; at = bytes.indexOf(match, at + 1)) {
      if (at % ENTRY_BYTES !== 0) continue;
      const occurredAt = dayMs + bytes.readUInt32BE(at + TIME_AT);
      const place = bytes.readUInt16BE(at + PLACE_AT);
      const part = place % PARTITIONS;
      for (const integration of byHash.get(Math.floor(place / PARTITIONS)) ?? []) {
        positions.push({ integration, occurredAt, part });
      }
    }
    return positions;
  };
};
