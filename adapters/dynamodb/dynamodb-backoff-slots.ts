import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { BackoffSlotStore } from '../../core/delivery/attempt/backoff-slots.ts';
import type { BackoffSlots, Integration } from '../../core/integration/integration.ts';
import { ifConditionHolds } from './writes.ts';

/** Writes the backoff slots in table Integrations: one conditional update takes a slot. */
export class DynamoDbBackoffSlots implements BackoffSlotStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async takeSlot(
    { account, id }: Pick<Integration, 'account' | 'id'>,
    { slot, now, until }: { slot: number; now: number; until: number },
  ): Promise<'taken' | BackoffSlots | undefined> {
    const take = new UpdateCommand({
      TableName: this.#table,
      Key: { account, id },
      UpdateExpression: 'SET backoffSlots.#slot = :until',
      ConditionExpression:
        'attribute_exists(id) AND (attribute_not_exists(backoffSlots.#slot) OR backoffSlots.#slot <= :now)',
      ExpressionAttributeNames: { '#slot': `${slot}` },
      ExpressionAttributeValues: { ':now': now, ':until': until },
    });
    if (await ifConditionHolds(this.#client.send(take))) return 'taken';
    const { Item } = await this.#client.send(
      new GetCommand({
        TableName: this.#table,
        Key: { account, id },
        ProjectionExpression: 'backoffSlots',
        ConsistentRead: true,
      }),
    );
    return Item?.backoffSlots;
  }
}
