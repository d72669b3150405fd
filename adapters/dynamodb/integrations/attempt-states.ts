import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AttemptStates, StreakCount } from '../../../core/delivery/trouble/begin-trouble.ts';
import type {
  Integration,
  IntegrationEpoch,
  IntegrationKey,
  Slowness,
  Streak,
  Trouble,
} from '../../../core/integration/integration.ts';
import { type Calls, gatheredCalls, sharedCalls } from '../../gathered-calls.ts';
import { IntegrationUpdates, Streaks } from './integration-updates.ts';

type Begin = readonly [
  epoch: IntegrationEpoch,
  trouble: Trouble,
  options: { onlyInStreak: boolean },
];

const REPLACES: Readonly<Record<Trouble['kind'], readonly Trouble['kind'][]>> = {
  waiting: [],
  busy: ['waiting'],
  failed: ['waiting', 'busy'],
};

type Count = readonly [integration: IntegrationKey, by: 1 | -1];

/** DynamoDB writes an item's changes one by one: the attempts of a batch share theirs. */
export class DynamoDbAttemptStates extends IntegrationUpdates implements AttemptStates {
  readonly #streaks = new Streaks(this);
  readonly #begin = sharedCalls(
    (begin: Begin) => this.#beginOnce(...begin),
    ([{ account, id, epoch }, { kind }, { onlyInStreak }]) =>
      [account, id, epoch, kind, onlyInStreak].join(' '),
  );
  readonly #countSetAside: (count: Count) => Promise<void>;

  /** `countedMs`: how long set-aside events are gathered for one count. */
  constructor(client: DynamoDBDocumentClient, table: string, { countedMs = 0 } = {}) {
    super(client, table);
    this.#countSetAside = gatheredCalls(
      (counts) => this.#addToSetAside(counts),
      ([{ account, id }]) => `${account} ${id}`,
      (send) => setTimeout(send, countedMs),
    );
  }

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

  /** Waiting is not a judgement of the endpoint: a success does not keep it from beginning. */
  async #beginOnce(...[epoch, trouble, { onlyInStreak }]: Begin): Promise<boolean> {
    const { kind: begun, lastAttemptAt } = trouble;
    const inStreak = onlyInStreak ? ' AND attribute_exists(streak)' : '';
    const sinceSuccess =
      begun === 'waiting'
        ? ''
        : ' AND (attribute_not_exists(confirmedAt) OR confirmedAt <= :lastAttemptAt)';
    const values = begun === 'waiting' ? {} : { ':lastAttemptAt': lastAttemptAt };
    const where = `${inStreak}${sinceSuccess}`;
    const began =
      (await this.tryChange(epoch, {
        update: 'SET trouble = :trouble',
        where: `attribute_not_exists(trouble)${where}`,
        values: { ':trouble': trouble, ...values },
      })) ||
      (REPLACES[begun].length > 0 && (await this.#replace(epoch, trouble, where)));
    if (began) return true;
    const kind = (await this.stored(epoch))?.trouble?.kind;
    return kind !== undefined && !REPLACES[trouble.kind].includes(kind);
  }

  /** Leaves `nextAttemptAt` and `claimedAt`: the schedule keeps its times. */
  #replace(epoch: IntegrationEpoch, trouble: Trouble, andWhere: string): Promise<boolean> {
    const { kind, since, event, confirmedOthers, lastAttemptAt, statusCode, reason } = trouble;
    const replaced = REPLACES[kind];
    const { update, values } = settingMembers({
      ...{ kind, since, event, confirmedOthers },
      ...{ lastAttemptAt, statusCode, reason },
    });
    return this.tryChange(epoch, {
      update,
      where: `trouble.kind IN (${replaced.map((_, n) => `:kind${n}`).join(', ')})${andWhere}`,
      values: { ...values, ...Object.fromEntries(replaced.map((name, n) => [`:kind${n}`, name])) },
    });
  }

  async noteSlowness(read: Integration, slowness: Slowness): Promise<void> {
    const before = read.slowness?.notedAt;
    const isFast = slowness.score === 0;
    if (isFast && before === undefined) return;
    await this.changeInAnyEpoch(read, {
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
  }

  async noteReminder(read: Integration, at: Date): Promise<void> {
    const { remindedAt: before } = read;
    await this.changeInAnyEpoch(read, {
      update: 'SET remindedAt = :at',
      where:
        before === undefined
          ? 'attribute_exists(id) AND attribute_not_exists(remindedAt)'
          : 'remindedAt = :before',
      values: {
        ':at': at.toISOString(),
        ...(before !== undefined && { ':before': before }),
      },
    });
  }

  countSetAside(integration: IntegrationKey, by: 1 | -1): Promise<void> {
    return this.#countSetAside([integration, by]);
  }

  async #addToSetAside(counts: Calls<Count>): Promise<undefined[]> {
    await this.changeInAnyEpoch(counts[0][0], {
      update: 'ADD setAside :by',
      where: 'attribute_exists(id)',
      values: { ':by': counts.reduce((sum, [, by]) => sum + by, 0) },
    });
    return counts.map(() => undefined);
  }
}

/** Sets members of a trouble and removes undefined ones: a status code replaces a reason. */
export const settingMembers = (members: Readonly<Record<string, unknown>>) => {
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
