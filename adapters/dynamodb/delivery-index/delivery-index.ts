import type {
  Days,
  DeliveryIndex,
  FoundPlaces,
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
  placesIn,
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

  async placesOf(key: SubjectKey, days: Days): Promise<FoundPlaces> {
    const reads = indexPartitionsOf(key).map((partition) => this.#read(partition, key, days));
    const found = await Promise.all(reads);
    return {
      places: found.flatMap(({ places }) => places),
      bytes: found.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }

  async #read(partition: string, key: SubjectKey, { from, to }: Days): Promise<FoundPlaces> {
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
    const found: { places: FoundPlaces['places'][number][]; bytes: number } = {
      places: [],
      bytes: 0,
    };
    for await (const { Items = [] } of pages) {
      for (const { entries } of Items as DeliveryIndexItem[]) {
        found.places.push(...placesIn(entries, key));
        found.bytes += ITEM_BYTES + entries.length;
      }
    }
    return found;
  }
}
