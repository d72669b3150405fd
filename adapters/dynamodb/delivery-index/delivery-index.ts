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
  positionsIn,
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

  async positionsOf(key: SubjectKey, days: Days): Promise<FoundPositions> {
    const reads = indexPartitionsOf(key).map((partition) => this.#read(partition, key, days));
    const found = await Promise.all(reads);
    return {
      positions: found.flatMap(({ positions }) => positions),
      bytes: found.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }

  async #read(partition: string, key: SubjectKey, { from, to }: Days): Promise<FoundPositions> {
    const pages = this.queryPages({
      KeyConditionExpression: '#partition = :partition AND entry BETWEEN :from AND :to',
      ProjectionExpression: 'entries',
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
      for (const { entries } of Items as DeliveryIndexItem[]) {
        found.positions.push(...positionsIn(entries, key));
        found.bytes += ITEM_BYTES + entries.length;
      }
    }
    return found;
  }
}
