import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { StreakCount } from '../../core/delivery/trouble/troubles.ts';
import type { Integration, IntegrationEpoch, Streak } from '../../core/integration/integration.ts';
import { type Calls, gatheredCalls } from '../gathered-calls.ts';
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

interface OfEpoch {
  readonly epoch: IntegrationEpoch;
}

interface Extension extends OfEpoch {
  readonly count: StreakCount;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

interface Success extends OfEpoch {
  readonly confirmedAt: Date;
}

/** Writes the streaks of integrations: see `TroubleStates`. */
export interface Streaks {
  extend(extension: Extension): Promise<Streak | undefined>;
  confirm(success: Success): Promise<boolean>;
}

/** Extensions of one streak that are made at the same time go into one write, or two. */
export const createStreaks = (updates: IntegrationUpdates): Streaks => {
  const gathered = new GatheredStreaks(updates);
  return {
    extend: gatheredCalls(
      async (extensions: Calls<Extension>) => {
        const streak = await gathered.extendAll(extensions);
        return extensions.map(() => streak);
      },
      ({ epoch, count }) => `${nameOf(epoch)} ${count}`,
    ),
    confirm: gatheredCalls(
      async (successes: Calls<Success>) => {
        const latest = Math.max(...successes.map(({ confirmedAt }) => confirmedAt.getTime()));
        const wasBusy = await gathered.confirm(successes[0].epoch, new Date(latest));
        // One of them asks for the replay.
        const ending = successes.findIndex(({ confirmedAt }) => confirmedAt.getTime() === latest);
        return successes.map((_, index) => wasBusy && index === ending);
      },
      ({ epoch }) => nameOf(epoch),
    ),
  };
};

class GatheredStreaks {
  readonly #updates: IntegrationUpdates;

  constructor(updates: IntegrationUpdates) {
    this.#updates = updates;
  }

  /** As if each were counted by itself, in the order of their ends. */
  async extendAll(extensions: Calls<Extension>): Promise<Streak | undefined> {
    const [first, ...others] = extensions.toSorted(
      (a, b) => a.endedAt.getTime() - b.endedAt.getTime(),
    ) as [Extension, ...Extension[]];
    const streak = await this.#extend(first);
    if (streak === undefined) {
      // The first began before the latest known success. A later one may begin a streak.
      const [next, ...more] = others;
      return next && this.extendAll([next, ...more]);
    }
    const within = others.filter(({ startedAt }) => startedAt.toISOString() >= streak.since);
    const [next, ...more] = within;
    if (next === undefined) return streak;
    // Undefined when a success or a change ended the streak meanwhile.
    return (await this.#add(next, within.length)) ?? this.extendAll([next, ...more]);
  }

  /**
   * Counts an outcome. The streak as it is then; undefined when there is none, or the epoch is
   * over.
   */
  async #extend(extension: Extension): Promise<Streak | undefined> {
    const { epoch } = extension;
    const startedAt = extension.startedAt.toISOString();
    const extended = await this.#add(extension, 1);
    if (extended !== undefined) return extended;
    const stored = await this.#updates.stored(epoch);
    if (stored === undefined || startedAt < (stored.streak?.since ?? stored.confirmedAt ?? '')) {
      return stored?.streak;
    }
    // There was no streak, or another process began one meanwhile.
    return (stored.streak ? undefined : await this.#begin(extension)) ?? this.#extend(extension);
  }

  async #add({ epoch, count, startedAt }: Extension, by: number): Promise<Streak | undefined> {
    const changed = await this.#updates.change(epoch, {
      update: `SET streak.${count} = streak.${count} + :by`,
      where: 'streak.since <= :startedAt',
      values: { ':by': by, ':startedAt': startedAt.toISOString() },
    });
    return changed?.streak;
  }

  async #begin({ epoch, count, startedAt, endedAt }: Extension): Promise<Streak | undefined> {
    const streak = { since: endedAt.toISOString(), transients: 0, refusals: 0, [count]: 1 };
    const changed = await this.#updates.change(epoch, {
      update: 'SET streak = :streak',
      where: `attribute_not_exists(streak)
        AND (attribute_not_exists(confirmedAt) OR confirmedAt <= :startedAt)`,
      values: { ':streak': streak, ':startedAt': startedAt.toISOString() },
    });
    return changed?.streak;
  }

  async confirm(epoch: IntegrationEpoch, confirmedAt: Date): Promise<boolean> {
    const values = { ':at': confirmedAt.toISOString(), ':busy': 'busy' };
    const isConfirmed = await this.#updates.tryChange(epoch, {
      update: 'SET confirmedAt = :at REMOVE streak',
      where: 'streak.since <= :at AND (attribute_not_exists(trouble) OR trouble.kind <> :busy)',
      values,
    });
    if (isConfirmed) return false;
    const stored = await this.#updates.stored(epoch);
    // An earlier call of the same success ended the busy state, and its answer was lost.
    if (stored?.trouble?.kind === 'waiting' && stored.confirmedAt === values[':at']) return true;
    if (stored?.trouble?.kind !== 'busy' || stored.streak === undefined) return false;
    return this.#updates.tryChange(epoch, {
      update: 'SET confirmedAt = :at, trouble.kind = :waiting REMOVE streak',
      where: 'streak.since <= :at AND trouble.kind = :busy',
      values: { ...values, ':waiting': 'waiting' },
    });
  }
}

const nameOf = ({ account, id, epoch }: IntegrationEpoch): string => `${account} ${id} ${epoch}`;
