import type { StreakCount, TroubleStates } from '../../core/delivery/trouble/troubles.ts';
import type {
  Integration,
  IntegrationEpoch,
  IntegrationKey,
  LatestAttempt,
  Slowness,
  Streak,
  Trouble,
} from '../../core/integration/integration.ts';
import { sharedCalls } from '../gathered-calls.ts';
import { IntegrationUpdates, Streaks } from './integration-updates.ts';

type Begin = readonly [
  epoch: IntegrationEpoch,
  trouble: Trouble,
  options: { onlyInStreak: boolean },
];

/** The kinds of trouble that a kind replaces. */
const REPLACES: Readonly<Record<Trouble['kind'], readonly Trouble['kind'][]>> = {
  waiting: [],
  busy: ['waiting'],
  failed: ['waiting', 'busy'],
};

/**
 * Writes troubles in table Integrations, by conditional updates. What follows from several attempts
 * of a batch is written at once: DynamoDB makes the writes of one item one after the other.
 */
export class DynamoDbTroubleStates extends IntegrationUpdates implements TroubleStates {
  readonly #streaks = new Streaks(this);
  readonly #begin = sharedCalls(
    (begin: Begin) => this.#beginOnce(...begin),
    ([{ account, id, epoch }, { kind }, { onlyInStreak }]) =>
      [account, id, epoch, kind, onlyInStreak].join(' '),
  );

  extendStreak(
    epoch: IntegrationEpoch,
    outcome: { count: StreakCount; startedAt: Date; endedAt: Date },
  ): Promise<Streak | undefined> {
    return this.#streaks.extend({ epoch, ...outcome });
  }

  confirm(epoch: IntegrationEpoch, confirmedAt: Date): Promise<boolean> {
    return this.#streaks.confirm(epoch, confirmedAt);
  }

  begin(
    epoch: IntegrationEpoch,
    trouble: Trouble,
    { onlyInStreak } = { onlyInStreak: false },
  ): Promise<boolean> {
    return this.#begin([epoch, trouble, { onlyInStreak }]);
  }

  async #beginOnce(...[epoch, trouble, { onlyInStreak }]: Begin): Promise<boolean> {
    const inStreak = onlyInStreak ? ' AND attribute_exists(streak)' : '';
    const began =
      (await this.tryChange(epoch, {
        update: 'SET trouble = :trouble',
        where: `attribute_not_exists(trouble)${inStreak}`,
        values: { ':trouble': trouble },
      })) ||
      (REPLACES[trouble.kind].length > 0 && (await this.#replace(epoch, trouble, inStreak))) ||
      (trouble.kind === 'failed' &&
        !trouble.confirmedOthers &&
        (await this.tryChange(epoch, {
          update: 'REMOVE trouble.confirmedOthers',
          where: `attribute_exists(trouble.confirmedOthers)${inStreak}`,
        })));
    if (began) return true;
    const kind = (await this.stored(epoch))?.trouble?.kind;
    return kind !== undefined && !REPLACES[trouble.kind].includes(kind);
  }

  /**
   * Leaves `nextAttemptAt` and `claimedAt` as they are: the integration's schedule keeps its times.
   */
  #replace(epoch: IntegrationEpoch, trouble: Trouble, inStreak: string): Promise<boolean> {
    const { kind, since, confirmedOthers, lastAttemptAt, statusCode, reason } = trouble;
    const replaced = REPLACES[kind];
    const { update, values } = settingMembers({
      ...{ kind, since, confirmedOthers },
      ...{ lastAttemptAt, statusCode, reason },
    });
    return this.tryChange(epoch, {
      update,
      where: `trouble.kind IN (${replaced.map((_, n) => `:kind${n}`).join(', ')})${inStreak}`,
      values: { ...values, ...Object.fromEntries(replaced.map((name, n) => [`:kind${n}`, name])) },
    });
  }

  async end(epoch: IntegrationEpoch, confirmedAt?: Date): Promise<boolean> {
    const ending = { update: 'REMOVE trouble, streak', add: ' ADD epoch :one', values: ONE };
    const where = 'attribute_exists(trouble)';
    const at = confirmedAt?.toISOString();
    // A later success may be known already.
    const isEnded =
      (at !== undefined &&
        (await this.tryChange(epoch, {
          update: `${ending.update} SET confirmedAt = :at${ending.add}`,
          where: `${where} AND (attribute_not_exists(confirmedAt) OR confirmedAt < :at)`,
          values: { ...ending.values, ':at': at },
        }))) ||
      (await this.tryChange(epoch, {
        update: ending.update + ending.add,
        where,
        values: ending.values,
      }));
    return isEnded || (at !== undefined && this.#wasEndedBy(epoch, at));
  }

  /**
   * Whether the epoch may have been ended by an earlier call of the same success, whose answer was
   * lost. A later success may be known, which leaves `confirmedAt` as it is.
   */
  async #wasEndedBy(epoch: IntegrationEpoch, confirmedAt: string): Promise<boolean> {
    const next = await this.stored({ ...epoch, epoch: epoch.epoch + 1 });
    return (next?.confirmedAt ?? '') >= confirmedAt;
  }

  closeEpoch(epoch: IntegrationEpoch): Promise<boolean> {
    return this.tryChange(epoch, {
      update: 'REMOVE trouble ADD epoch :one',
      where: '(attribute_not_exists(trouble) OR trouble.kind = :waiting)',
      values: { ...ONE, ':waiting': 'waiting' },
    });
  }

  /** Instants are compared as text: `toISOString` writes all instants in the same form. */
  claimRetry(
    epoch: IntegrationEpoch,
    claim: { lastBefore: Date; claimedAt: Date; nextAttemptAt: Date },
  ): Promise<boolean> {
    return this.tryChange(epoch, {
      update: 'SET trouble.claimedAt = :claimedAt, trouble.nextAttemptAt = :next',
      where:
        'attribute_exists(trouble) AND (attribute_not_exists(trouble.claimedAt) OR trouble.claimedAt <= :lastBefore)',
      values: {
        ':lastBefore': claim.lastBefore.toISOString(),
        ':claimedAt': claim.claimedAt.toISOString(),
        ':next': claim.nextAttemptAt.toISOString(),
      },
    });
  }

  async noteSlowness(read: Integration, slowness: Slowness): Promise<boolean> {
    const before = read.slowness?.notedAt;
    const isFast = slowness.score === 0;
    if (isFast && before === undefined) return false;
    const changed = await this.changeInAnyEpoch(read, {
      update: isFast ? 'REMOVE slowness' : 'SET slowness = :slowness',
      where:
        before === undefined
          ? 'attribute_exists(id) AND attribute_not_exists(slowness)'
          : 'slowness.notedAt = :before',
      values: {
        ...(!isFast && { ':slowness': slowness }),
        ...(before !== undefined && { ':before': before }),
      },
    });
    return changed !== undefined;
  }

  async countSetAside(integration: IntegrationKey, by: 1 | -1): Promise<void> {
    await this.changeInAnyEpoch(integration, {
      update: 'ADD setAside :by',
      where: 'attribute_exists(id)',
      values: { ':by': by },
    });
  }

  async noteAttempt(
    epoch: IntegrationEpoch,
    { lastAttemptAt, statusCode, reason }: LatestAttempt,
  ): Promise<void> {
    const { update, values } = settingMembers({ lastAttemptAt, statusCode, reason });
    await this.change(epoch, { update, where: 'attribute_exists(trouble)', values });
  }
}

const ONE = { ':one': 1 } as const;

/**
 * The update that sets members of a trouble. It removes undefined members, so that a status code
 * replaces a reason and a reason replaces a status code.
 */
const settingMembers = (members: Readonly<Record<string, unknown>>) => {
  const all = Object.entries(members);
  const known = all.filter(([, value]) => value !== undefined);
  const unknown = all.filter(([, value]) => value === undefined);
  const sets = known.map(([name]) => `trouble.${name} = :${name}`);
  const removes = unknown.map(([name]) => `trouble.${name}`);
  return {
    update: `SET ${sets.join(', ')}${removes.length > 0 ? ` REMOVE ${removes.join(', ')}` : ''}`,
    values: Object.fromEntries(known.map(([name, value]) => [`:${name}`, value])),
  };
};
