import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type {
  ChangeFilter,
  ChangeLog,
  ChangePage,
  ChangeView,
} from '../../../core/changes/change-log.ts';
import { positionIn, positionOf } from '../../../core/changes/change-position.ts';
import type { Change } from '../../../core/changes/change-resource.ts';
import { cursorAt } from '../../../core/json-ld/cursor.ts';
import { fillPage } from '../table/paging.ts';
import type { ReadPage } from '../table/stored-deliveries.ts';
import { DynamoDbTable } from '../table/table.ts';
import { batchWrite } from '../table/writes.ts';

const KEPT_DAYS = 400;
/** Of a filtered list. Items have about 500 bytes: a read is up to 125 KB, 16 read units. */
const ITEMS_OF_READ = 250;
const READS_OF_PAGE = 5;
const REMOVED_PAGE = 250;
/** Sort before and after the entry of every change. */
const START = '!';
const END = '~';

type ChangeItem = Change & { readonly entry: string; readonly expiresAt: number };

/**
 * An item of table Changes: key `account`, `entry` (`positionOf`), the members of the change, and
 * `expiresAt`.
 */
export class DynamoDbChangeLog extends DynamoDbTable implements ChangeLog {
  /** `BatchWriteItem` takes no conditions, and would replace what an earlier version has told. */
  async add(changes: readonly Change[]): Promise<void> {
    const results = await Promise.allSettled(changes.map((change) => this.#put(change)));
    for (const result of results) if ('reason' in result) throw result.reason;
  }

  async #put(change: Change): Promise<void> {
    const expiresAt = Math.floor(Date.parse(change.at) / 1_000) + KEPT_DAYS * 86_400;
    await this.putItem({
      Item: { ...change, entry: positionOf(change), expiresAt } satisfies ChangeItem,
      ConditionExpression: 'attribute_not_exists(entry)',
    });
  }

  async removeAllOf(account: string): Promise<void> {
    const pages = this.queryPages({
      KeyConditionExpression: 'account = :account',
      ExpressionAttributeValues: { ':account': account },
      ProjectionExpression: 'account, entry',
      Limit: REMOVED_PAGE,
    });
    for await (const { Items = [] } of pages) {
      await batchWrite(
        this,
        Items.map((Key) => ({ DeleteRequest: { Key } })),
      );
    }
  }
}

/** May miss the changes of the last second. */
export class DynamoDbChangeView extends DynamoDbTable implements ChangeView {
  readonly #now: () => Date;

  constructor(client: DynamoDBDocumentClient, table: string, options: { now: () => Date }) {
    super(client, table);
    this.#now = options.now;
  }

  async pageOf(
    account: string,
    { limit, after, ...filter }: ChangeFilter & { limit: number; after?: string | undefined },
  ): Promise<ChangePage> {
    const from = filter.since?.toISOString() ?? START;
    const until = filter.until?.toISOString() ?? END;
    const position = after === undefined ? undefined : positionIn(after);
    // A cursor of another filter: DynamoDB refuses to start outside the range.
    if (from > until || (position !== undefined && position < from)) return { changes: [] };
    const isFiltered = filter.integration !== undefined || filter.kind !== undefined;
    const { items, next } = await fillPage<ChangeItem>(
      (readTo) =>
        this.#read(account, {
          ...filter,
          from,
          until,
          after: readTo,
          limit: isFiltered ? ITEMS_OF_READ : limit + 1,
        }),
      {
        limit,
        maxReads: READS_OF_PAGE,
        after: position !== undefined && position < until ? position : undefined,
      },
    );
    return {
      changes: items.map(changeIn),
      ...(next !== undefined && { next: cursorAt(next) }),
    };
  }

  async #read(account: string, query: ReadQuery): Promise<ReadPage<ChangeItem>> {
    const { after, from, integration, kind, limit, until } = query;
    const { Items = [], LastEvaluatedKey } = await this.query({
      // No entry equals an instant: `until` is exclusive.
      KeyConditionExpression: 'account = :account AND entry BETWEEN :from AND :until',
      FilterExpression: [
        // DynamoDB deletes expired items within days, not at once.
        'expiresAt > :now',
        ...(integration === undefined ? [] : ['integration = :integration']),
        ...(kind === undefined ? [] : ['kind = :kind']),
      ].join(' AND '),
      ExpressionAttributeValues: {
        ':account': account,
        ':from': from,
        ':until': until,
        ':now': Math.floor(this.#now().getTime() / 1_000),
        ':integration': integration,
        ':kind': kind,
      },
      ...(after !== undefined && { ExclusiveStartKey: { account, entry: after } }),
      ScanIndexForward: false,
      ConsistentRead: false,
      Limit: limit,
    });
    return { items: Items as ChangeItem[], readTo: LastEvaluatedKey?.entry };
  }
}

interface ReadQuery extends Pick<ChangeFilter, 'integration' | 'kind'> {
  readonly from: string;
  readonly until: string;
  readonly after: string | undefined;
  /** How many items are read. The filter then leaves some of them out. */
  readonly limit: number;
}

const changeIn = ({ entry: _, expiresAt: __, ...change }: ChangeItem): Change => change;
