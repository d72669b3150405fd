import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Integration, IntegrationEpoch } from '../../core/integration/integration.ts';
import { ifConditionHolds } from './writes.ts';

interface Change {
  /** The update expression. */
  readonly update: string;
  /** A condition beside the epoch's. */
  readonly where?: string;
  readonly values?: Readonly<Record<`:${string}`, unknown>>;
}

/** Conditional updates of the items of table Integrations. */
export class IntegrationUpdates {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** The changed integration; undefined when the epoch is over or the condition is not met. */
  async change(
    { account, id, epoch }: IntegrationEpoch,
    { update, where, values }: Change,
  ): Promise<Integration | undefined> {
    const command = new UpdateCommand({
      TableName: this.#table,
      Key: { account, id },
      UpdateExpression: update,
      ConditionExpression: `epoch = :epoch${where === undefined ? '' : ` AND ${where}`}`,
      ExpressionAttributeValues: { ':epoch': epoch, ...values },
      ReturnValues: 'ALL_NEW',
    });
    const output = await ifConditionHolds(this.#client.send(command));
    return output?.Attributes as Integration | undefined;
  }

  /** Resolves to whether the integration was changed. */
  async tryChange(epoch: IntegrationEpoch, change: Change): Promise<boolean> {
    return (await this.change(epoch, change)) !== undefined;
  }

  /** Resolves to whether the integration was changed. */
  async changeInAnyEpoch(
    { account, id }: Pick<Integration, 'account' | 'id'>,
    { update, where, values }: Change,
  ): Promise<boolean> {
    const command = new UpdateCommand({
      TableName: this.#table,
      Key: { account, id },
      UpdateExpression: update,
      ConditionExpression: where,
      ExpressionAttributeValues: values,
    });
    return (await ifConditionHolds(this.#client.send(command))) !== undefined;
  }

  /** The integration as it is now, strongly consistent; undefined when the epoch is over. */
  async stored({ account, id, epoch }: IntegrationEpoch): Promise<Integration | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { account, id }, ConsistentRead: true }),
    );
    const stored = Item as Integration | undefined;
    return stored?.epoch === epoch ? stored : undefined;
  }
}
