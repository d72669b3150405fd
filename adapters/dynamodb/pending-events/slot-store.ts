import type { SlotStore, Slots } from '../../../core/delivery/sending/backoff.ts';
import type { IntegrationKey } from '../../../core/integration/integration.ts';
import { gatheredCalls } from '../../gathered-calls.ts';
import { DynamoDbTable } from '../table/table.ts';

interface Taking {
  readonly slot: string;
  readonly now: number;
  readonly until: number;
}

type Taken = 'taken' | Slots;

/** One item of table PendingEvents; one update takes all slots asked for at the same time. */
export class DynamoDbSlotStore extends DynamoDbTable implements SlotStore {
  readonly #take = gatheredCalls<Taking & { integration: string }, Taken>(
    (takings) => this.#takeAll(takings[0].integration, takings),
    ({ integration }) => integration,
  );

  takeSlot({ id }: IntegrationKey, taking: Taking): Promise<Taken> {
    return this.#take({ integration: id, ...taking });
  }

  /** Takes all or none of the slots; the first of several requests for the same slot gets it. */
  async #takeAll(integration: string, takings: readonly Taking[]): Promise<Taken[]> {
    const bySlot = Map.groupBy(takings, ({ slot }) => slot);
    const first = [...bySlot.values()].flatMap(([taking]) => taking ?? []);
    const output = await this.updateItem({
      Key: keyOf(integration),
      UpdateExpression: `SET expiresAt = :expiry, ${first.map((_, n) => `#slot${n} = :until${n}`).join(', ')}`,
      ConditionExpression: first
        .map((_, n) => `(attribute_not_exists(#slot${n}) OR #slot${n} <= :now${n})`)
        .join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(first.map(({ slot }, n) => [`#slot${n}`, slot])),
      ExpressionAttributeValues: {
        ':expiry': expiryAfter(takings),
        ...Object.fromEntries(
          first.flatMap(({ now, until }, n) => [
            [`:now${n}`, now],
            [`:until${n}`, until],
          ]),
        ),
      },
      ...(first.length < takings.length && { ReturnValues: 'ALL_NEW' }),
    });
    if (output === undefined) {
      const slots = slotsIn(await this.getItem(keyOf(integration)));
      return takings.map(() => slots);
    }
    const slots = slotsIn(output.Attributes);
    return takings.map((taking) => (first.includes(taking) ? 'taken' : slots));
  }
}

/** No pending event has a partition without a number. */
const keyOf = (integration: string) => ({ partition: integration, entry: 'slots' });

const slotsIn = (item: Record<string, unknown> = {}): Slots => {
  const { partition: _, entry: __, expiresAt: ___, ...slots } = item;
  return slots as Slots;
};

/** A slot is taken for about an hour at most: a day after the latest taking ends, all are free. */
const DAY_S = 86_400;

const expiryAfter = (takings: readonly Taking[]): number =>
  Math.ceil(Math.max(...takings.map(({ until }) => until)) / 1_000) + DAY_S;
