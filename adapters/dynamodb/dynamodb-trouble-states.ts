import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { TroubleStates } from '../../core/delivery/trouble/troubles.ts';
import type {
  Integration,
  IntegrationEpoch,
  LatestAttempt,
  Trouble,
} from '../../core/integration/integration.ts';
import { ifConditionHolds } from './writes.ts';

interface Change {
  /** The update expression. */
  readonly update: string;
  /** A condition beside the epoch's. */
  readonly where?: string;
  readonly values?: Readonly<Record<`:${string}`, unknown>>;
}

/** Writes troubles in table Integrations, by one conditional update each. */
export class DynamoDbTroubleStates implements TroubleStates {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async countTransient(epoch: IntegrationEpoch): Promise<number | undefined> {
    const updated = await this.#change(epoch, { update: 'ADD transients :one', values: ONE });
    return updated?.transients;
  }

  async forgetTransients(epoch: IntegrationEpoch): Promise<void> {
    await this.#change(epoch, { update: 'SET transients = :none', values: { ':none': 0 } });
  }

  async begin(epoch: IntegrationEpoch, trouble: Trouble): Promise<boolean> {
    const began =
      (await this.#changed(epoch, {
        update: 'SET trouble = :trouble',
        where: 'attribute_not_exists(trouble)',
        values: { ':trouble': trouble },
      })) ||
      (trouble.kind === 'failed' && (await this.#failFromBusy(epoch, trouble)));
    return began || this.#isInTrouble(epoch);
  }

  /** Leaves `nextAttemptAt` as it is, because the integration's schedule keeps its times. */
  #failFromBusy(epoch: IntegrationEpoch, { kind, since, ...because }: Trouble): Promise<boolean> {
    const { update, values } = settingLatest(because);
    return this.#changed(epoch, {
      update: `SET trouble.kind = :failed, trouble.since = :since, ${update}`,
      where: 'trouble.kind = :busy',
      values: { ':failed': kind, ':since': since, ':busy': 'busy', ...values },
    });
  }

  end(epoch: IntegrationEpoch): Promise<boolean> {
    return this.#changed(epoch, {
      update: 'REMOVE trouble SET transients = :zero ADD epoch :one',
      where: 'attribute_exists(trouble)',
      values: { ':zero': 0, ...ONE },
    });
  }

  closeEpoch(epoch: IntegrationEpoch, next: number): Promise<boolean> {
    return this.#changed(epoch, {
      update: 'SET epoch = :next',
      where: 'attribute_not_exists(trouble)',
      values: { ':next': next },
    });
  }

  /** Instants are compared as text: `toISOString` writes all instants in the same form. */
  claimRetry(
    epoch: IntegrationEpoch,
    { dueBy, nextAttemptAt }: { dueBy: Date; nextAttemptAt: Date },
  ): Promise<boolean> {
    return this.#changed(epoch, {
      update: 'SET trouble.nextAttemptAt = :next',
      where: 'trouble.nextAttemptAt <= :dueBy',
      values: { ':next': nextAttemptAt.toISOString(), ':dueBy': dueBy.toISOString() },
    });
  }

  async noteAttempt(epoch: IntegrationEpoch, latest: LatestAttempt): Promise<void> {
    const { update, values } = settingLatest(latest);
    await this.#change(epoch, {
      update: `SET ${update}`,
      where: 'attribute_exists(trouble)',
      values,
    });
  }

  async #changed(epoch: IntegrationEpoch, change: Change): Promise<boolean> {
    return (await this.#change(epoch, change)) !== undefined;
  }

  /** The changed attributes; undefined when the epoch is over or the condition is not met. */
  async #change(
    { account, id, epoch }: IntegrationEpoch,
    { update, where, values }: Change,
  ): Promise<Partial<Integration> | undefined> {
    const command = new UpdateCommand({
      TableName: this.#table,
      Key: { account, id },
      UpdateExpression: update,
      ConditionExpression: `epoch = :epoch${where === undefined ? '' : ` AND ${where}`}`,
      ExpressionAttributeValues: { ':epoch': epoch, ...values },
      ReturnValues: 'UPDATED_NEW',
    });
    const output = await ifConditionHolds(this.#client.send(command));
    return output && (output.Attributes ?? {});
  }

  async #isInTrouble({ account, id, epoch }: IntegrationEpoch): Promise<boolean> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { account, id }, ConsistentRead: true }),
    );
    const stored = Item as Integration | undefined;
    return stored?.epoch === epoch && stored.trouble !== undefined;
  }
}

const ONE = { ':one': 1 } as const;

/**
 * The update, after `SET`, that stores an attempt as the latest: sets the members that the attempt
 * has, and removes the others, so that a status code replaces a reason and a reason a status code.
 */
const settingLatest = ({ lastAttemptAt, statusCode, reason }: LatestAttempt) => {
  const members = Object.entries({ lastAttemptAt, statusCode, reason });
  const known = members.filter(([, value]) => value !== undefined);
  const unknown = members.filter(([, value]) => value === undefined);
  const sets = known.map(([name]) => `trouble.${name} = :${name}`);
  const removes = unknown.map(([name]) => `trouble.${name}`);
  return {
    update: `${sets.join(', ')}${removes.length > 0 ? ` REMOVE ${removes.join(', ')}` : ''}`,
    values: Object.fromEntries(known.map(([name, value]) => [`:${name}`, value])),
  };
};
