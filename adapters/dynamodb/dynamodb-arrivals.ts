import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { Arrivals } from '../../core/delivery/delivery-log.ts';
import { type DeliveryLogKey, listingEntry } from './delivery-log-keys.ts';

/** Table DeliveryLog, listing entries. `DynamoDbAttemptLog` writes what arrived. */
export class DynamoDbArrivals implements Arrivals {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async hasArrived({ integration, event }: Delivery): Promise<boolean> {
    const Key: DeliveryLogKey = { integration, entry: listingEntry(event) };
    const { Item } = await this.#client.send(
      new GetCommand({
        TableName: this.#table,
        Key,
        ProjectionExpression: 'deliveredAt',
        ConsistentRead: true,
      }),
    );
    return Item?.deliveredAt !== undefined;
  }
}
