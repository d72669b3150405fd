import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { SetAsideEvents } from '../../core/delivery/pending/set-aside-events.ts';
import { deflated } from './deflated-body.ts';
import { DynamoDbBodyPieces, piecesOf } from './dynamodb-body-pieces.ts';
import { bodyOwnerOf, setAsideKey } from './pending-items.ts';
import { ifConditionHolds } from './writes.ts';

/**
 * Keeps what is set aside in table PendingEvents, beside the pending events of the integration. A
 * large body lies in pieces, which are stored first and removed last.
 */
export class DynamoDbSetAsideEvents implements SetAsideEvents {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #bodies: DynamoDbBodyPieces;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
    this.#bodies = new DynamoDbBodyPieces(client, table);
  }

  async add(given: Delivery): Promise<boolean> {
    const { body, event, ...delivery } = given;
    const key = setAsideKey(given);
    const pieces = piecesOf(body);
    if (pieces) await this.#bodies.put(bodyOwnerOf(key), pieces, { body, attributes: {} });
    const put = new PutCommand({
      TableName: this.#table,
      Item: {
        ...delivery,
        ...key,
        reference: event,
        ...(pieces ? { pieces } : { deflated: deflated(body) }),
      },
      ConditionExpression: 'attribute_not_exists(entry)',
    });
    return (await ifConditionHolds(this.#client.send(put))) !== undefined;
  }

  async remove(delivery: Delivery): Promise<boolean> {
    const Key = setAsideKey(delivery);
    const { Attributes } = await this.#client.send(
      new DeleteCommand({ TableName: this.#table, Key, ReturnValues: 'ALL_OLD' }),
    );
    const pieces = piecesOf(delivery.body);
    if (pieces) await this.#bodies.remove(bodyOwnerOf(Key), pieces);
    return Attributes !== undefined;
  }
}
