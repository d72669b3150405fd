import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { SlotStore } from '../../core/delivery/attempt/slots.ts';
import type { Integration, Slots } from '../../core/integration/integration.ts';
import { gatheredCalls } from '../gathered-calls.ts';
import { ifConditionHolds } from './writes.ts';

type Owner = Pick<Integration, 'account' | 'id'>;

interface Taking {
  readonly slot: string;
  readonly now: number;
  readonly until: number;
}

type Taken = 'taken' | Slots | undefined;

/**
 * Writes the slots in table Integrations: one conditional update takes the slots that an
 * integration's deliveries ask for at the same time.
 */
export class DynamoDbSlots implements SlotStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #take = gatheredCalls<{ owner: Owner; taking: Taking }, Taken>(
    ([first, ...others]) =>
      this.#takeAll(
        first.owner,
        [first, ...others].map(({ taking }) => taking),
      ),
    ({ owner: { account, id } }) => `${account} ${id}`,
  );

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  takeSlot(owner: Owner, taking: Taking): Promise<Taken> {
    return this.#take({ owner, taking });
  }

  /** Takes all or none of the slots; of those who ask for the same slot the first has it. */
  async #takeAll({ account, id }: Owner, takings: readonly Taking[]): Promise<Taken[]> {
    const bySlot = Map.groupBy(takings, ({ slot }) => slot);
    const first = [...bySlot.values()].flatMap(([taking]) => taking ?? []);
    const take = new UpdateCommand({
      TableName: this.#table,
      Key: { account, id },
      UpdateExpression: `SET ${first.map((_, n) => `slots.#slot${n} = :until${n}`).join(', ')}`,
      ConditionExpression: [
        'attribute_exists(id)',
        ...first.map(
          (_, n) => `(attribute_not_exists(slots.#slot${n}) OR slots.#slot${n} <= :now${n})`,
        ),
      ].join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(first.map(({ slot }, n) => [`#slot${n}`, slot])),
      ExpressionAttributeValues: Object.fromEntries(
        first.flatMap(({ now, until }, n) => [
          [`:now${n}`, now],
          [`:until${n}`, until],
        ]),
      ),
      ...(first.length < takings.length && { ReturnValues: 'ALL_NEW' }),
    });
    const output = await ifConditionHolds(this.#client.send(take));
    if (output === undefined) {
      const slots = await this.#read({ account, id });
      return takings.map(() => slots);
    }
    return takings.map((taking) => (first.includes(taking) ? 'taken' : output.Attributes?.slots));
  }

  async #read(Key: Owner): Promise<Slots | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({
        TableName: this.#table,
        Key,
        ProjectionExpression: 'slots',
        ConsistentRead: true,
      }),
    );
    return Item?.slots;
  }

  async freeSlot({ account, id }: Owner, slot: string): Promise<void> {
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
