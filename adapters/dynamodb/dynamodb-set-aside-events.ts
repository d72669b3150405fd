import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { SetAsideEvents } from '../../core/delivery/pending/pending-events.ts';
import { deflated } from './deflated-body.ts';
import { setAsideKey } from './pending-items.ts';
import { ifConditionHolds } from './writes.ts';

/** Keeps what is set aside in table PendingEvents, beside the pending events of the integration. */
export class DynamoDbSetAsideEvents implements SetAsideEvents {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async add(given: Delivery): Promise<boolean> {
    const { body, event, ...delivery } = given;
    const put = new PutCommand({
      TableName: this.#table,
      Item: {
        ...delivery,
        ...setAsideKey(given),
        reference: event,
        deflated: deflated(body),
      },
      ConditionExpression: 'attribute_not_exists(entry)',
    });
    return (await ifConditionHolds(this.#client.send(put))) !== undefined;
  }

  async has(delivery: Delivery): Promise<boolean> {
    const { Item } = await this.#client.send(
      new GetCommand({
        TableName: this.#table,
        Key: setAsideKey(delivery),
        ProjectionExpression: 'entry',
        ConsistentRead: true,
      }),
    );
    return Item !== undefined;
  }

  async remove(delivery: Delivery): Promise<boolean> {
    const Key = setAsideKey(delivery);
    const { Attributes } = await this.#client.send(
      new DeleteCommand({ TableName: this.#table, Key, ReturnValues: 'ALL_OLD' }),
    );
    return Attributes !== undefined;
  }
}
