import type {
  Days,
  DeliveryIndex,
  FoundPositions,
  StreamedDelivery,
  SubjectKey,
} from '../../../core/delivery/search/delivery-index.ts';
import { DynamoDbTable } from '../table/table.ts';
import { batchWrite } from '../table/writes.ts';
import {
  type DeliveryIndexItem,
  dayText,
  deliveryIndexItems,
  indexPartitionsOf,
  positionsReader,
} from './delivery-index-items.ts';

/** Of an item without its entries: its key, its expiry and all names. DynamoDB counts whole items. */
const ITEM_BYTES = 110;
/** Sorts after the shard of every entry. */
const AFTER_SHARDS = '~';

export class DynamoDbDeliveryIndex extends DynamoDbTable implements DeliveryIndex {
  async add(shard: string, deliveries: readonly StreamedDelivery[]): Promise<void> {
    const items = deliveryIndexItems(shard, deliveries);
    await batchWrite(
      this,
      items.map((item) => ({ PutRequest: { Item: { ...item } } })),
    );
  }

  async positionsOf(
    key: SubjectKey,
    integrations: readonly string[],
    days: Days,
  ): Promise<FoundPositions> {
    const positionsIn = positionsReader(key, integrations);
    const reads = indexPartitionsOf(key).map((each) => this.#read(each, positionsIn, days));
    const found = await Promise.all(reads);
    return {
      positions: found.flatMap(({ positions }) => positions),
      bytes: found.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }

  async #read(
    partition: string,
    positionsIn: ReturnType<typeof positionsReader>,
    { from, to }: Days,
  ): Promise<FoundPositions> {
    const pages = this.queryPages({
      KeyConditionExpression: '#partition = :partition AND entry BETWEEN :from AND :to',
      ProjectionExpression: 'entry, entries',
      ExpressionAttributeNames: { '#partition': 'partition' },
      ExpressionAttributeValues: {
        ':partition': partition,
        ':from': dayText(from),
        ':to': `${dayText(to)}#${AFTER_SHARDS}`,
      },
      // The index is about a minute late in any case, and this read costs half.
      ConsistentRead: false,
    });
    const found: { positions: FoundPositions['positions'][number][]; bytes: number } = {
      positions: [],
      bytes: 0,
    };
    for await (const { Items = [] } of pages) {
      for (const item of Items as DeliveryIndexItem[]) {
        found.positions.push(...positionsIn(item));
        found.bytes += ITEM_BYTES + item.entries.length;
      }
    }
    return found;
  }
}
