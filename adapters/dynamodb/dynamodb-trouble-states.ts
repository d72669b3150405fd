import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { TransientRow, TroubleStates } from '../../core/delivery/trouble/troubles.ts';
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

  async countTransient(
    epoch: IntegrationEpoch,
    { startedAt, endedAt }: { startedAt: Date; endedAt: Date },
  ): Promise<TransientRow | undefined> {
    const counted = await this.#change(epoch, {
      update: 'ADD transients :one SET transientsSince = if_not_exists(transientsSince, :endedAt)',
      where: '(attribute_not_exists(transientsSince) OR transientsSince <= :startedAt)',
      values: {
        ...ONE,
        ':endedAt': endedAt.toISOString(),
        ':startedAt': startedAt.toISOString(),
      },
    });
    return counted ?? (await this.#stored(epoch));
  }

  async confirm(epoch: IntegrationEpoch, confirmedAt: Date): Promise<boolean> {
    const confirmed = await this.#change(epoch, {
      update: 'SET transients = :zero, confirmedAt = :confirmedAt REMOVE transientsSince',
      values: { ':zero': 0, ':confirmedAt': confirmedAt.toISOString() },
    });
    return confirmed?.trouble?.kind === 'busy';
  }

  async awaitReplay(epoch: IntegrationEpoch): Promise<void> {
    await this.#change(epoch, { update: 'SET awaitsReplay = :true', values: { ':true': true } });
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

  end(epoch: IntegrationEpoch, confirmedAt?: Date): Promise<boolean> {
    const confirming = confirmedAt && { ':confirmedAt': confirmedAt.toISOString() };
    const sets = `transients = :zero${confirming ? ', confirmedAt = :confirmedAt' : ''}`;
    return this.#changed(epoch, {
      update: `REMOVE trouble, transientsSince, awaitsReplay SET ${sets} ADD epoch :one`,
      where: 'attribute_exists(trouble)',
      values: { ':zero': 0, ...ONE, ...confirming },
    });
  }

  closeEpoch(epoch: IntegrationEpoch, next: number): Promise<boolean> {
    return this.#changed(epoch, {
      update: 'SET epoch = :next REMOVE awaitsReplay',
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

  async noteSlow(integration: Pick<Integration, 'account' | 'id'>, slowAt: Date): Promise<void> {
    await this.#changeInAnyEpoch(integration, {
      update: 'SET slowAt = :slowAt',
      where: 'attribute_exists(id)',
      values: { ':slowAt': slowAt.toISOString() },
    });
  }

  async clearSlow(integration: Pick<Integration, 'account' | 'id'>, slowAt: string): Promise<void> {
    await this.#changeInAnyEpoch(integration, {
      update: 'REMOVE slowAt',
      where: 'slowAt = :slowAt',
      values: { ':slowAt': slowAt },
    });
  }

  async countSetAside(integration: Pick<Integration, 'account' | 'id'>, by: 1 | -1): Promise<void> {
    await this.#changeInAnyEpoch(integration, {
      update: 'ADD setAside :by',
      where: 'attribute_exists(id)',
      values: { ':by': by },
    });
  }

  async #changeInAnyEpoch(
    { account, id }: Pick<Integration, 'account' | 'id'>,
    { update, where, values }: Change,
  ): Promise<void> {
    const command = new UpdateCommand({
      TableName: this.#table,
      Key: { account, id },
      UpdateExpression: update,
      ConditionExpression: where,
      ExpressionAttributeValues: values,
    });
    await ifConditionHolds(this.#client.send(command));
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

  /** The changed integration; undefined when the epoch is over or the condition is not met. */
  async #change(
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

  async #isInTrouble(epoch: IntegrationEpoch): Promise<boolean> {
    return (await this.#stored(epoch))?.trouble !== undefined;
  }

  /** The integration as it is now; undefined when the epoch is over. */
  async #stored({ account, id, epoch }: IntegrationEpoch): Promise<Integration | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { account, id }, ConsistentRead: true }),
    );
    const stored = Item as Integration | undefined;
    return stored?.epoch === epoch ? stored : undefined;
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
