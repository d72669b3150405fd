import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type {
  DeliveryStates,
  Integration,
  LatestAttempt,
  Moment,
  Trouble,
} from '../../core/integrations/integration.ts';
import { ifConditionHolds } from './conditional-write.ts';

interface Change {
  /** The update expression. */
  readonly update: string;
  /** What must hold beside the incident. */
  readonly where?: string;
  readonly values?: Readonly<Record<`:${string}`, unknown>>;
}

/** Table Integrations, beside `DynamoDbIntegrations`: each change is one conditional update. */
export class DynamoDbDeliveryStates implements DeliveryStates {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async countTransient(moment: Moment): Promise<number | undefined> {
    const updated = await this.#change(moment, { update: 'ADD transients :one', values: ONE });
    return updated?.transients;
  }

  async forgetTransients(moment: Moment): Promise<void> {
    await this.#change(moment, { update: 'SET transients = :none', values: { ':none': 0 } });
  }

  async enterTrouble(moment: Moment, trouble: Trouble): Promise<boolean> {
    const entered =
      (await this.#changed(moment, {
        update: 'SET delivery = :trouble',
        where: 'delivery.kind = :healthy',
        values: { ':trouble': trouble, ...HEALTHY },
      })) ||
      (trouble.kind === 'failed' && (await this.#failFromBusy(moment, trouble)));
    return entered || this.#isInTrouble(moment);
  }

  /** The schedule that a busy one has goes on by its own clock: so does the retry it is due. */
  #failFromBusy(moment: Moment, { kind, since, ...because }: Trouble): Promise<boolean> {
    const { update, values } = settingLatest(because);
    return this.#changed(moment, {
      update: `SET delivery.kind = :failed, delivery.since = :since, ${update}`,
      where: 'delivery.kind = :busy',
      values: { ':failed': kind, ':since': since, ':busy': 'busy', ...values },
    });
  }

  leaveTrouble(moment: Moment): Promise<boolean> {
    return this.#changed(moment, {
      update: 'SET delivery = :recovered, transients = :zero ADD incident :one',
      where: 'delivery.kind <> :healthy',
      values: { ':recovered': { kind: 'healthy' }, ':zero': 0, ...ONE, ...HEALTHY },
    });
  }

  closeIncident(moment: Moment, next: number): Promise<boolean> {
    return this.#changed(moment, {
      update: 'SET incident = :next',
      where: 'delivery.kind = :healthy',
      values: { ':next': next, ...HEALTHY },
    });
  }

  /** Instants are compared as text: `toISOString` writes all of them alike. */
  claimRetry(
    moment: Moment,
    { dueBy, nextAttemptAt }: { dueBy: Date; nextAttemptAt: Date },
  ): Promise<boolean> {
    return this.#changed(moment, {
      update: 'SET delivery.nextAttemptAt = :next',
      where: 'delivery.nextAttemptAt <= :dueBy',
      values: { ':next': nextAttemptAt.toISOString(), ':dueBy': dueBy.toISOString() },
    });
  }

  async noteAttempt(moment: Moment, latest: LatestAttempt): Promise<void> {
    const { update, values } = settingLatest(latest);
    await this.#change(moment, {
      update: `SET ${update}`,
      where: 'delivery.kind <> :healthy',
      values: { ...values, ...HEALTHY },
    });
  }

  async #changed(moment: Moment, change: Change): Promise<boolean> {
    return (await this.#change(moment, change)) !== undefined;
  }

  /** What was changed; undefined when the incident is over, or the condition does not hold. */
  async #change(
    { account, id, incident }: Moment,
    { update, where, values }: Change,
  ): Promise<Partial<Integration> | undefined> {
    const command = new UpdateCommand({
      TableName: this.#table,
      Key: { account, id },
      UpdateExpression: update,
      ConditionExpression: `incident = :incident${where === undefined ? '' : ` AND ${where}`}`,
      ExpressionAttributeValues: { ':incident': incident, ...values },
      ReturnValues: 'UPDATED_NEW',
    });
    const output = await ifConditionHolds(this.#client.send(command));
    return output && (output.Attributes ?? {});
  }

  async #isInTrouble({ account, id, incident }: Moment): Promise<boolean> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { account, id }, ConsistentRead: true }),
    );
    const stored = Item as Integration | undefined;
    return stored?.incident === incident && stored.delivery.kind !== 'healthy';
  }
}

const ONE = { ':one': 1 } as const;
const HEALTHY = { ':healthy': 'healthy' } as const;

/** What follows `SET` to take over an attempt, what it has no word of being removed. */
const settingLatest = ({ lastAttemptAt, statusCode, reason }: LatestAttempt) => {
  const told = Object.entries({ lastAttemptAt, statusCode, reason });
  const known = told.filter(([, value]) => value !== undefined);
  const unknown = told.filter(([, value]) => value === undefined);
  const sets = known.map(([name]) => `delivery.${name} = :${name}`);
  const removes = unknown.map(([name]) => `delivery.${name}`);
  return {
    update: `${sets.join(', ')}${removes.length > 0 ? ` REMOVE ${removes.join(', ')}` : ''}`,
    values: Object.fromEntries(known.map(([name, value]) => [`:${name}`, value])),
  };
};
