import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { SlotStore } from '../../core/delivery/attempt/slots.ts';
import type { Integration, Slots } from '../../core/integration/integration.ts';
import { ifConditionHolds } from './writes.ts';

/** Writes the slots in table Integrations: one conditional update takes a slot. */
export class DynamoDbSlots implements SlotStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async takeSlot(
    { account, id }: Pick<Integration, 'account' | 'id'>,
    { slot, now, until }: { slot: string; now: number; until: number },
  ): Promise<'taken' | Slots | undefined> {
    const take = new UpdateCommand({
      TableName: this.#table,
      Key: { account, id },
      UpdateExpression: 'SET slots.#slot = :until',
      ConditionExpression:
        'attribute_exists(id) AND (attribute_not_exists(slots.#slot) OR slots.#slot <= :now)',
      ExpressionAttributeNames: { '#slot': slot },
      ExpressionAttributeValues: { ':now': now, ':until': until },
    });
    if (await ifConditionHolds(this.#client.send(take))) return 'taken';
    const { Item } = await this.#client.send(
      new GetCommand({
        TableName: this.#table,
        Key: { account, id },
        ProjectionExpression: 'slots',
        ConsistentRead: true,
      }),
    );
    return Item?.slots;
  }

  async freeSlot(
    { account, id }: Pick<Integration, 'account' | 'id'>,
    slot: string,
  ): Promise<void> {
    const free = new UpdateCommand({
      TableName: this.#table,
      Key: { account, id },
      UpdateExpression: 'REMOVE slots.#slot',
      ConditionExpression: 'attribute_exists(id)',
      ExpressionAttributeNames: { '#slot': slot },
    });
    await ifConditionHolds(this.#client.send(free));
  }
}
