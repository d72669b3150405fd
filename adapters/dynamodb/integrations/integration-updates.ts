import type { StreakCount } from '../../../core/delivery/trouble/begin-trouble.ts';
import type {
  Integration,
  IntegrationEpoch,
  IntegrationKey,
  Streak,
} from '../../../core/integration/integration.ts';
import { type Calls, gatheredCalls } from '../../gathered-calls.ts';
import { DynamoDbTable } from '../table/table.ts';

interface Change {
  readonly update: string;
  /** A condition beside the epoch's. */
  readonly where?: string;
  readonly values?: Readonly<Record<`:${string}`, unknown>>;
}

/** Conditional updates of the items of table Integrations. */
export class IntegrationUpdates extends DynamoDbTable {
  /** The changed integration; undefined when the epoch is over or the condition is not met. */
  async change(
    { account, id, epoch }: IntegrationEpoch,
    { update, where, values }: Change,
  ): Promise<Integration | undefined> {
    return this.changeInAnyEpoch(
      { account, id },
      {
        update,
        where: `epoch = :epoch${where === undefined ? '' : ` AND ${where}`}`,
        values: { ':epoch': epoch, ...values },
      },
    );
  }

  /** Resolves to whether the integration was changed. */
  async tryChange(epoch: IntegrationEpoch, change: Change): Promise<boolean> {
    return (await this.change(epoch, change)) !== undefined;
  }

  /** The changed integration; undefined when the condition is not met. */
  async changeInAnyEpoch(
    { account, id }: IntegrationKey,
    { update, where, values }: Change,
  ): Promise<Integration | undefined> {
    const output = await this.updateItem({
      Key: { account, id },
      UpdateExpression: update,
      ConditionExpression: where,
      ExpressionAttributeValues: values,
      ReturnValues: 'ALL_NEW',
    });
    return output?.Attributes as Integration | undefined;
  }

  /** The integration as it is now, strongly consistent; undefined when the epoch is over. */
  async stored({ account, id, epoch }: IntegrationEpoch): Promise<Integration | undefined> {
    const stored = await this.getItem<Integration>({ account, id });
    return stored?.epoch === epoch ? stored : undefined;
  }
}

interface Extension {
  readonly epoch: IntegrationEpoch;
  readonly count: StreakCount;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

/** Extends and ends the streaks of integrations: see `TroubleStates`. */
export class Streaks {
  readonly #updates: IntegrationUpdates;
  /** Extensions of one streak that are made at the same time go into one write, or two. */
  readonly extend = gatheredCalls(
    async (extensions: Calls<Extension>) => {
      const streak = await this.#extendAll(extensions);
      return extensions.map(() => streak);
    },
    ({ epoch: { account, id, epoch }, count }) => [account, id, epoch, count].join(' '),
  );

  constructor(updates: IntegrationUpdates) {
    this.#updates = updates;
  }

  /** As if each were counted by itself, in the order of their ends. */
  async #extendAll(extensions: Calls<Extension>): Promise<Streak | undefined> {
    const [first, ...others] = extensions.toSorted(
      (a, b) => a.endedAt.getTime() - b.endedAt.getTime(),
    ) as [Extension, ...Extension[]];
    const streak = await this.#extendOne(first);
    // Without a streak, the first began before the latest known success. A later one may begin one.
    const counted = others.filter(
      ({ startedAt }) => streak === undefined || startedAt.toISOString() >= streak.since,
    );
    const [next, ...more] = counted;
    if (next === undefined) return streak;
    // Undefined when a success or a change ended the streak meanwhile.
    const extended = streak && (await this.#add(next, counted.length));
    return extended ?? this.#extendAll([next, ...more]);
  }

  /** The streak after the outcome; undefined when there is none, or the epoch is over. */
  async #extendOne(extension: Extension): Promise<Streak | undefined> {
    const { epoch } = extension;
    const startedAt = extension.startedAt.toISOString();
    const extended = await this.#add(extension, 1);
    if (extended !== undefined) return extended;
    const stored = await this.#updates.stored(epoch);
    if (stored === undefined || startedAt < (stored.streak?.since ?? stored.confirmedAt ?? '')) {
      return stored?.streak;
    }
    // There was no streak, or another process began one meanwhile.
    return (stored.streak ? undefined : await this.#begin(extension)) ?? this.#extendOne(extension);
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
