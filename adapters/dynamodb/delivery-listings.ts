import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Delivery } from '../../core/delivery/delivery.ts';
import { type DeliveryLogKey, deliveryItem, pointersOf } from './delivery-log-items.ts';
import { insertOrPut, type NotInserted } from './insert-or-put.ts';
import { ifConditionHolds } from './writes.ts';

/**
 * @param expiry seconds since 1970
 * @returns the fault of each delivery, `undefined` where there was none
 */
export type ListDeliveries = (
  deliveries: readonly Delivery[],
  expiry: number,
) => Promise<readonly (Error | undefined)[]>;

/**
 * Returns a function that puts the items of deliveries without an attempt into table DeliveryLog, in
 * as few calls as possible. An item that is there stays as it is.
 */
export const createDeliveryListings = (
  client: DynamoDBDocumentClient,
  table: string,
): ListDeliveries => {
  const putIfNew = async (item: DeliveryLogKey, because: NotInserted): Promise<void> => {
    if (because === 'exists') return;
    const put = new PutCommand({
      TableName: table,
      Item: { ...item },
      ConditionExpression: 'attribute_not_exists(entry)',
    });
    await ifConditionHolds(client.send(put));
  };

  return async (deliveries, expiry) => {
    const listed = deliveries.flatMap((delivery) => {
      const items = [deliveryItem(delivery, undefined, expiry), ...pointersOf(delivery, expiry)];
      return items.map((item) => ({ item, delivery }));
    });
    const items = listed.map(({ item }) => item);
    const results = await insertOrPut(client, table, items, putIfNew);
    const faults = new Map<Delivery, Error>();
    for (const [index, { delivery }] of listed.entries()) {
      const { [index]: fault } = results;
      if (fault) faults.set(delivery, fault);
    }
    return deliveries.map((delivery) => faults.get(delivery));
  };
};
