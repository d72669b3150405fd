import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type {
  ChangedBy,
  Integration,
  IntegrationEpoch,
  IntegrationKey,
} from '../../../core/integration/integration.ts';
import type {
  IdempotencyWrite,
  IntegrationWriter,
} from '../../../core/integration/integration-store.ts';
import { unlessRemoved } from '../directory/directory-items.ts';
import { putOf } from '../directory/idempotency-records.ts';
import { writeTogether } from '../table/writes.ts';
import { DynamoDbIntegrationLists } from './integration-lists.ts';
import type { IntegrationItem } from './integration-reader.ts';

/**
 * Writes table Integrations. When the answer to a conditional write is lost, the SDK repeats the
 * write, whose condition is no longer met. So such a write looks at the item: each put has a new
 * `writeId`, and an integration that is gone was removed.
 */
export class DynamoDbIntegrationWriter
  extends DynamoDbIntegrationLists
  implements IntegrationWriter
{
  readonly #directoryTable: string | undefined;

  /** Accounts, and the keys of creations, are in the table Directory; the canary has neither. */
  constructor(
    client: DynamoDBDocumentClient,
    table: string,
    { directoryTable }: { directoryTable?: string } = {},
  ) {
    super(client, table);
    this.#directoryTable = directoryTable;
  }

  async add(
    integration: Integration,
    keyed?: IdempotencyWrite,
  ): Promise<'added' | 'exists' | 'no-account'> {
    const writeId = randomUUID();
    const TableName = this.#directoryTable;
    const put = {
      TableName: this.table,
      Item: { ...itemOf(integration), writeId },
      ConditionExpression: 'attribute_not_exists(id)',
    };
    const unmet = await writeTogether(this.client, [
      { Put: put },
      ...(TableName === undefined ? [] : [unlessRemoved(TableName, integration.account)]),
      ...(keyed ? [{ Put: { TableName, ...putOf(keyed) } }] : []),
    ]);
    if (unmet === undefined || (await this.#has(integration, writeId))) return 'added';
    return unmet === 1 && TableName !== undefined ? 'no-account' : 'exists';
  }

  async replace(integration: Integration, readAt: Integration): Promise<boolean> {
    const { account, id } = readAt;
    const writeId = randomUUID();
    if (
      await this.updateItem({
        Key: { account, id },
        ...settingMembers({ ...itemOf(integration), writeId }, readAt),
      })
    )
      return true;
    return this.#has({ account, id }, writeId);
  }

  async remove({ account, id, epoch }: IntegrationEpoch, deletedBy: ChangedBy): Promise<boolean> {
    const inEpoch = { Key: { account, id }, ConditionExpression: 'epoch = :epoch' };
    // A deletion carries no attributes: the stream shows the item as this update leaves it.
    const isNoted = await this.updateItem({
      ...inEpoch,
      UpdateExpression: 'SET deletedBy = :deletedBy',
      ExpressionAttributeValues: { ':epoch': epoch, ':deletedBy': deletedBy },
    });
    const deletion = { ...inEpoch, ExpressionAttributeValues: { ':epoch': epoch } };
    if (isNoted && (await this.deleteItem(deletion))) return true;
    return (await this.getItem({ account, id })) === undefined;
  }

  /** Whether the latest write of all members is the one with this id. */
  async #has({ account, id }: IntegrationKey, writeId: string): Promise<boolean> {
    return (await this.getItem<IntegrationItem>({ account, id }))?.writeId === writeId;
  }
}

const itemOf = ({ config, ...members }: Integration) => ({
  ...members,
  config: new Map(Object.entries(config).map(([member, value]) => [member, asMap(value)])),
});

/** A `Map`: the document client takes an object with a member `constructor` for one of a class. */
const asMap = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? new Map(Object.entries(value))
    : value;

/** Members that others write at any time: a change of the rest does not touch them. */
const OTHERS = ['account', 'id', 'confirmedAt', 'slowness', 'setAside', 'remindedAt'];

const OPTIONAL = ['description', 'trouble', 'streak', 'deletedBy', 'inactiveSince'];

/** The update that gives an integration in an epoch all members of another, and removes the rest. */
const settingMembers = (members: IntegrationItem, { epoch, trouble }: Integration) => {
  const given = Object.entries(members).filter(
    ([name, value]) => value !== undefined && !OTHERS.includes(name),
  );
  const absent = OPTIONAL.filter((name) => members[name] === undefined);
  const sets = given.map((_, index) => `#set${index} = :set${index}`);
  const removes = absent.map((_, index) => `#absent${index}`);
  return {
    UpdateExpression: `SET ${sets.join(', ')}${removes.length > 0 ? ` REMOVE ${removes.join(', ')}` : ''}`,
    ConditionExpression: `epoch = :epoch AND attribute_${trouble ? 'exists' : 'not_exists'}(trouble)`,
    ExpressionAttributeNames: Object.fromEntries([
      ...given.map(([name], index) => [`#set${index}`, name]),
      ...absent.map((name, index) => [`#absent${index}`, name]),
    ]),
    ExpressionAttributeValues: Object.fromEntries([
      [':epoch', epoch],
      ...given.map(([, value], index) => [`:set${index}`, value]),
    ]),
  };
};
