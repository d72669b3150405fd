import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type {
  AttemptCounts,
  IntegrationHour,
  StreamedAttempt,
} from '../../../core/delivery/statistics/count-attempts.ts';
import type {
  AccountHour,
  FilteredCounts,
} from '../../../core/delivery/statistics/count-filtered.ts';
import type { StatisticsView } from '../../../core/delivery/statistics/get-statistics.ts';
import {
  COUNTED,
  EMPTY_TALLY,
  type Hour,
  LAST_BUCKET,
  startOf,
  sumOf,
  type Tally,
  tallyOf,
  tallyOfFiltered,
} from '../../../core/delivery/statistics/tally.ts';
import type { IntegrationKey } from '../../../core/integration/integration.ts';
import { DynamoDbTable } from '../table/table.ts';
import { withinDeadline } from '../table/within-deadline.ts';

/**
 * An item of table Statistics: key `integration`, `hour`; counts `delivered`, `transient`, `fatal`,
 * `deliveredEvents`, and `ms0` to `ms45` of the buckets that are not empty; `upTo <shard>` is the
 * position of the latest change that was counted of the shard. An item of an account, whose key has
 * `account#<name>` as `integration`, has only the events that filters kept back, each count under the
 * id of its integration: one write for all the integrations of the account.
 */
type StatisticsItem = Readonly<Record<string, string | number>>;

const BUCKETS = Array.from({ length: LAST_BUCKET + 1 }, (_, bucket) => bucket);

const bucketAttribute = (bucket: number): string => `ms${bucket}`;

/** The shard that `shardId-00000001732266000000-0a1b2c3d` names. */
const upToAttribute = (shard: string): string => `upTo ${shard.replace(/^shardId-/, '')}`;

const TALLY_ATTRIBUTES: readonly string[] = [...COUNTED, ...BUCKETS.map(bucketAttribute)];

const tallyAttributes = ({ counts, durations }: Tally): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [
      ...Object.entries(counts),
      ...[...durations].map(([bucket, count]) => [bucketAttribute(bucket), count] as const),
    ].filter(([, count]) => count > 0),
  );

const tallyIn = (item: StatisticsItem): Tally => {
  const numberOf = (name: string): number => Number(item[name] ?? 0);
  return {
    counts: {
      ...EMPTY_TALLY.counts,
      delivered: numberOf('delivered'),
      transient: numberOf('transient'),
      fatal: numberOf('fatal'),
      deliveredEvents: numberOf('deliveredEvents'),
    },
    durations: new Map(
      BUCKETS.map((bucket) => [bucket, numberOf(bucketAttribute(bucket))] as const).filter(
        ([, count]) => count > 0,
      ),
    ),
  };
};

const KEPT_DAYS = 31;

/** When DynamoDB may delete the item of an hour: seconds since 1970. */
const expiryOf = (hour: Hour): number => startOf(hour).getTime() / 1_000 + KEPT_DAYS * 86_400;

/** Notes the latest position of a shard in the same write, so that nothing is added twice. */
export class DynamoDbAttemptCounts extends DynamoDbTable implements AttemptCounts {
  async add(
    of: IntegrationHour,
    shard: string,
    attempts: readonly StreamedAttempt[],
  ): Promise<void> {
    let left = attempts;
    while (left.length > 0 && !(await this.#added(of, shard, left))) {
      const upTo = await this.#upTo(of, shard);
      left = left.filter(({ position }) => position > upTo);
    }
  }

  /** Adds nothing, and resolves to false, if the hour has counted the first of the attempts. */
  async #added(
    { integration, hour }: IntegrationHour,
    shard: string,
    attempts: readonly StreamedAttempt[],
  ): Promise<boolean> {
    const counts = Object.entries(tallyAttributes(tallyOf(attempts)));
    const update = {
      Key: { integration, hour },
      UpdateExpression: `SET expiresAt = :expiresAt, #upTo = :last
        ADD ${counts.map(([name]) => `${name} :${name}`).join(', ')}`,
      ConditionExpression: 'attribute_not_exists(#upTo) OR #upTo < :first',
      ExpressionAttributeNames: { '#upTo': upToAttribute(shard) },
      ExpressionAttributeValues: {
        ...Object.fromEntries(counts.map(([name, count]) => [`:${name}`, count])),
        ':expiresAt': expiryOf(hour),
        ':first': attempts[0]?.position,
        ':last': attempts.at(-1)?.position,
      },
    };
    return (await this.updateItem(update)) !== undefined;
  }

  async #upTo({ integration, hour }: IntegrationHour, shard: string): Promise<string> {
    const name = upToAttribute(shard);
    const item = await this.getItem<Record<string, string>>(
      { integration, hour },
      { ProjectionExpression: '#upTo', ExpressionAttributeNames: { '#upTo': name } },
    );
    // Without the item, which DynamoDB has deleted since, the attempts are too old to be shown.
    return item?.[name] ?? '~';
  }
}

const partitionOf = (account: string): string => `account#${account}`;

/** With a client whose quota of retries no other call shares. */
export class DynamoDbFilteredCounts extends DynamoDbTable implements FilteredCounts {
  readonly #deadlineMs: number;

  constructor(client: DynamoDBDocumentClient, table: string, options: { deadlineMs: number }) {
    super(client, table);
    this.#deadlineMs = options.deadlineMs;
  }

  async addFiltered(
    { account, hour }: AccountHour,
    events: ReadonlyMap<string, number>,
  ): Promise<void> {
    const added = [...events].map(([integration, count], at) => ({ integration, count, at }));
    const update = {
      Key: { integration: partitionOf(account), hour },
      UpdateExpression: `SET expiresAt = :expiresAt ADD ${added.map(({ at }) => `#i${at} :n${at}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(
        added.map(({ integration, at }) => [`#i${at}`, integration]),
      ),
      ExpressionAttributeValues: {
        ':expiresAt': expiryOf(hour),
        ...Object.fromEntries(added.map(({ count, at }) => [`:n${at}`, count])),
      },
    };
    await withinDeadline(this.#deadlineMs, (abortSignal) =>
      this.updateItem(update, { abortSignal }),
    );
  }
}

/** Reads table Statistics. The 720 hours of 30 days are at most 1 MB: a page or two. */
export class DynamoDbStatisticsView extends DynamoDbTable implements StatisticsView {
  async hoursSince(
    { account, id }: IntegrationKey,
    first: Hour,
  ): Promise<ReadonlyMap<Hour, Tally>> {
    const [ofAttempts, ofFilter] = await Promise.all([
      this.#since(id, first, TALLY_ATTRIBUTES),
      this.#since(partitionOf(account), first, [id]),
    ]);
    const tallies = new Map(ofAttempts.map((item) => [String(item.hour), tallyIn(item)]));
    for (const { hour, [id]: events } of ofFilter) {
      if (events === undefined) continue;
      const tally = tallies.get(String(hour)) ?? EMPTY_TALLY;
      tallies.set(String(hour), sumOf([tally, tallyOfFiltered(Number(events))]));
    }
    return tallies;
  }

  async #since(
    partition: string,
    first: Hour,
    attributes: readonly string[],
  ): Promise<readonly StatisticsItem[]> {
    const names = ['hour', ...attributes].map((name, at) => [`#a${at}`, name] as const);
    const pages = this.queryPages({
      KeyConditionExpression: 'integration = :partition AND #a0 >= :first',
      ProjectionExpression: names.map(([name]) => name).join(', '),
      ExpressionAttributeNames: Object.fromEntries(names),
      ExpressionAttributeValues: { ':partition': partition, ':first': first },
      ConsistentRead: false,
    });
    const items: StatisticsItem[] = [];
    for await (const { Items = [] } of pages) items.push(...(Items as StatisticsItem[]));
    return items;
  }
}
