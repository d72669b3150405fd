import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { TransientRow, TroubleStates } from '../../core/delivery/trouble/troubles.ts';
import type {
  Integration,
  IntegrationEpoch,
  LatestAttempt,
  Trouble,
} from '../../core/integration/integration.ts';
import { type Calls, gatheredCalls, sharedCalls } from '../gathered-calls.ts';
import { IntegrationUpdates } from './integration-updates.ts';

/** A call that names the epoch of an integration. */
interface OfEpoch {
  readonly epoch: IntegrationEpoch;
}

interface Attempted extends OfEpoch {
  readonly startedAt: Date;
  readonly endedAt: Date;
}

/**
 * Writes troubles in table Integrations, by conditional updates. What follows from several attempts
 * of a batch is written at once: DynamoDB makes the writes of one item one after the other.
 */
export class DynamoDbTroubleStates implements TroubleStates {
  readonly #updates: IntegrationUpdates;
  readonly #count = gatheredCalls(
    async (attempts: Calls<Attempted>) => {
      const row = await this.#countAll(attempts);
      return attempts.map(() => row);
    },
    ({ epoch }) => nameOf(epoch),
  );
  readonly #confirm = gatheredCalls(
    async (successes: Calls<OfEpoch & { confirmedAt: Date }>) => {
      const latest = Math.max(...successes.map(({ confirmedAt }) => confirmedAt.getTime()));
      const isBusy = await this.#confirmOnce(successes[0].epoch, new Date(latest));
      return successes.map(() => isBusy);
    },
    ({ epoch }) => nameOf(epoch),
  );
  readonly #awaitReplay = sharedCalls(
    ({ epoch }: OfEpoch) => this.#awaitReplayOnce(epoch),
    ({ epoch }) => nameOf(epoch),
  );
  readonly #begin = sharedCalls(
    ({ epoch, trouble }: OfEpoch & { trouble: Trouble }) => this.#beginOnce(epoch, trouble),
    ({ epoch, trouble }) => `${nameOf(epoch)} ${trouble.kind}`,
  );

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#updates = new IntegrationUpdates(client, table);
  }

  countTransient(
    epoch: IntegrationEpoch,
    attempt: { startedAt: Date; endedAt: Date },
  ): Promise<TransientRow | undefined> {
    return this.#count({ epoch, ...attempt });
  }

  /** As if each attempt were counted by itself, in the order of their ends. */
  async #countAll(attempts: Calls<Attempted>): Promise<TransientRow | undefined> {
    const [first, ...others] = attempts.toSorted(
      (a, b) => a.endedAt.getTime() - b.endedAt.getTime(),
    ) as [Attempted, ...Attempted[]];
    const row = await this.#countOne(first);
    if (row === undefined) return undefined;
    const { transientsSince: since } = row;
    const [next, ...more] = others.filter(
      ({ startedAt }) => since === undefined || startedAt.toISOString() >= since,
    );
    if (next === undefined) return row;
    if (since === undefined) return this.#countAll([next, ...more]);
    const counted = await this.#updates.change(next.epoch, {
      update: 'ADD transients :count',
      where: 'transientsSince = :since',
      values: { ':count': 1 + more.length, ':since': since },
    });
    // Undefined when a success or a change ended the row meanwhile.
    return counted ?? this.#countAll([next, ...more]);
  }

  async #countOne({ epoch, startedAt, endedAt }: Attempted): Promise<TransientRow | undefined> {
    const counted = await this.#updates.change(epoch, {
      update: 'ADD transients :one SET transientsSince = if_not_exists(transientsSince, :endedAt)',
      where: '(attribute_not_exists(transientsSince) OR transientsSince <= :startedAt)',
      values: {
        ...ONE,
        ':endedAt': endedAt.toISOString(),
        ':startedAt': startedAt.toISOString(),
      },
    });
    return counted ?? (await this.#updates.stored(epoch));
  }

  confirm(epoch: IntegrationEpoch, confirmedAt: Date): Promise<boolean> {
    return this.#confirm({ epoch, confirmedAt });
  }

  async #confirmOnce(epoch: IntegrationEpoch, confirmedAt: Date): Promise<boolean> {
    const confirmed = await this.#updates.change(epoch, {
      update: 'SET transients = :zero, confirmedAt = :confirmedAt REMOVE transientsSince',
      values: { ':zero': 0, ':confirmedAt': confirmedAt.toISOString() },
    });
    return confirmed?.trouble?.kind === 'busy';
  }

  awaitReplay(epoch: IntegrationEpoch): Promise<void> {
    return this.#awaitReplay({ epoch });
  }

  async #awaitReplayOnce(epoch: IntegrationEpoch): Promise<void> {
    await this.#updates.change(epoch, {
      update: 'SET awaitsReplay = :true',
      values: { ':true': true },
    });
  }

  begin(epoch: IntegrationEpoch, trouble: Trouble): Promise<boolean> {
    return this.#begin({ epoch, trouble });
  }

  async #beginOnce(epoch: IntegrationEpoch, trouble: Trouble): Promise<boolean> {
    const began =
      (await this.#updates.tryChange(epoch, {
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
    return this.#updates.tryChange(epoch, {
      update: `SET trouble.kind = :failed, trouble.since = :since, ${update}`,
      where: 'trouble.kind = :busy',
      values: { ':failed': kind, ':since': since, ':busy': 'busy', ...values },
    });
  }

  end(epoch: IntegrationEpoch, confirmedAt?: Date): Promise<boolean> {
    const confirming = confirmedAt && { ':confirmedAt': confirmedAt.toISOString() };
    const sets = `transients = :zero${confirming ? ', confirmedAt = :confirmedAt' : ''}`;
    return this.#updates.tryChange(epoch, {
      update: `REMOVE trouble, transientsSince, awaitsReplay SET ${sets} ADD epoch :one`,
      where: 'attribute_exists(trouble)',
      values: { ':zero': 0, ...ONE, ...confirming },
    });
  }

  closeEpoch(epoch: IntegrationEpoch, next: number): Promise<boolean> {
    return this.#updates.tryChange(epoch, {
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
    return this.#updates.tryChange(epoch, {
      update: 'SET trouble.nextAttemptAt = :next',
      where: 'trouble.nextAttemptAt <= :dueBy',
      values: { ':next': nextAttemptAt.toISOString(), ':dueBy': dueBy.toISOString() },
    });
  }

  async noteSlow(integration: Pick<Integration, 'account' | 'id'>, slowAt: Date): Promise<void> {
    await this.#updates.changeInAnyEpoch(integration, {
      update: 'SET slowAt = :slowAt',
      where: 'attribute_exists(id)',
      values: { ':slowAt': slowAt.toISOString() },
    });
  }

  async clearSlow(integration: Pick<Integration, 'account' | 'id'>, slowAt: string): Promise<void> {
    await this.#updates.changeInAnyEpoch(integration, {
      update: 'REMOVE slowAt',
      where: 'slowAt = :slowAt',
      values: { ':slowAt': slowAt },
    });
  }

  async countSetAside(integration: Pick<Integration, 'account' | 'id'>, by: 1 | -1): Promise<void> {
    await this.#updates.changeInAnyEpoch(integration, {
      update: 'ADD setAside :by',
      where: 'attribute_exists(id)',
      values: { ':by': by },
    });
  }

  async noteAttempt(epoch: IntegrationEpoch, latest: LatestAttempt): Promise<void> {
    const { update, values } = settingLatest(latest);
    await this.#updates.change(epoch, {
      update: `SET ${update}`,
      where: 'attribute_exists(trouble)',
      values,
    });
  }

  async #isInTrouble(epoch: IntegrationEpoch): Promise<boolean> {
    return (await this.#updates.stored(epoch))?.trouble !== undefined;
  }
}

const nameOf = ({ account, id, epoch }: IntegrationEpoch): string => `${account} ${id} ${epoch}`;

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
