import type { StreakCount } from '../../../core/delivery/trouble/begin-trouble.ts';
import type {
  Recovered,
  RetryClaim,
  TroubleStates,
} from '../../../core/delivery/trouble/troubles.ts';
import type { Accounts } from '../../../core/directory/account.ts';
import type {
  Integration,
  IntegrationEpoch,
  IntegrationKey,
  IntegrationReader,
  LatestAttempt,
  Slowness,
  Streak,
  Trouble,
} from '../../../core/integration/integration.ts';
import type {
  EveryIntegration,
  IdempotencyWrite,
  IntegrationWriter,
  StorePart,
} from '../../../core/integration/integration-store.ts';

import type { InMemoryIdempotencyRecords } from './in-memory-idempotency-records.ts';

/** Of `pageOfAll`: small, so that tests see several. */
const PAGE_OF_ALL = 2;

/** What is kept is never changed, only replaced: no copies are needed. */
export class InMemoryIntegrations
  implements IntegrationReader, IntegrationWriter, EveryIntegration, TroubleStates
{
  readonly #integrations = new Map<string, Integration>();
  /** The records of keys. An integration with a key can be added only where they are known. */
  records: Pick<InMemoryIdempotencyRecords, 'put'> | undefined;
  /** An integration of an account that is removed can be added only where they are not known. */
  accounts: Pick<Accounts, 'removedAt'> | undefined;

  constructor(...integrations: Integration[]) {
    for (const integration of integrations) this.#keep(integration);
  }

  get all(): readonly Integration[] {
    return [...this.#integrations.values()];
  }

  async find(account: string, id: string): Promise<Integration | undefined> {
    return this.#integrations.get(keyOf({ account, id }));
  }

  findAll(keys: readonly { account: string; id: string }[]) {
    return Promise.all(keys.map(({ account, id }) => this.find(account, id)));
  }

  async listOf(account: string): Promise<readonly Integration[]> {
    return this.all.filter((integration) => integration.account === account);
  }

  async countOf(account: string): Promise<number> {
    return (await this.listOf(account)).length;
  }

  async pageOf(
    account: string,
    { limit, after = '' }: { limit: number; after?: string | undefined },
  ): Promise<readonly Integration[]> {
    const inOrder = (await this.listOf(account))
      .filter(({ id }) => id > after)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return inOrder.slice(0, limit);
  }

  async pageOfAll(after?: IntegrationKey, part: StorePart = { index: 0, of: 1 }) {
    const rest = this.all
      .filter(({ account }) => hashOf(account) % part.of === part.index)
      .filter((integration) => after === undefined || keyOf(integration) > keyOf(after))
      .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const integrations = rest.slice(0, PAGE_OF_ALL);
    const last = rest.length > PAGE_OF_ALL ? integrations.at(-1) : undefined;
    return { integrations, ...(last && { next: { account: last.account, id: last.id } }) };
  }

  async add(
    integration: Integration,
    keyed?: IdempotencyWrite,
  ): Promise<'added' | 'exists' | 'no-account'> {
    if (await this.accounts?.removedAt(integration.account)) return 'no-account';
    if (this.#integrations.has(keyOf(integration))) return 'exists';
    if (keyed && !this.records?.put(keyed.record, keyed.replaced)) return 'exists';
    this.#keep(integration);
    return 'added';
  }

  async replace(integration: Integration, readAt: Integration): Promise<boolean> {
    if ((this.#of(readAt)?.trouble === undefined) !== (readAt.trouble === undefined)) return false;
    return this.#change(readAt, ({ confirmedAt, remindedAt, setAside, slowness }) => ({
      ...integration,
      ...(confirmedAt !== undefined && { confirmedAt }),
      ...(slowness !== undefined && { slowness }),
      ...(setAside !== undefined && { setAside }),
      ...(remindedAt !== undefined && { remindedAt }),
    }));
  }

  async remove(readAt: IntegrationEpoch): Promise<boolean> {
    if (this.#of(readAt) !== undefined) this.#integrations.delete(keyOf(readAt));
    return !this.#integrations.has(keyOf(readAt));
  }

  async extendStreak(
    epoch: IntegrationEpoch,
    { count, startedAt, endedAt }: { count: StreakCount; startedAt: Date; endedAt: Date },
  ): Promise<Streak | undefined> {
    this.#change(epoch, (stored) => {
      const { streak = { since: endedAt.toISOString(), transients: 0, refusals: 0 } } = stored;
      const from = stored.streak?.since ?? stored.confirmedAt ?? '';
      if (startedAt.toISOString() < from) return false;
      return { ...stored, streak: { ...streak, [count]: streak[count] + 1 } };
    });
    return this.#of(epoch)?.streak;
  }

  async confirm(epoch: IntegrationEpoch, confirmedAt: Date): Promise<boolean> {
    const at = confirmedAt.toISOString();
    const before = this.#of(epoch);
    const isConfirmed = this.#change(epoch, ({ streak, ...stored }) => {
      if (streak === undefined || streak.since > at) return false;
      const { trouble } = stored;
      const isBusy = trouble?.kind === 'busy';
      return {
        ...stored,
        confirmedAt: at,
        ...(isBusy && { trouble: { ...trouble, kind: 'waiting' } }),
      };
    });
    if (isConfirmed) return before?.trouble?.kind === 'busy';
    // The same success may have been told before.
    return before?.confirmedAt === at && before.trouble?.kind === 'waiting';
  }

  async begin(
    epoch: IntegrationEpoch,
    trouble: Trouble,
    { onlyInStreak } = { onlyInStreak: false },
  ): Promise<boolean> {
    const rankOf = ({ kind }: Trouble): number => ['waiting', 'busy', 'failed'].indexOf(kind);
    this.#change(epoch, (stored) => {
      const before = stored.trouble;
      if (onlyInStreak && stored.streak === undefined) return false;
      const isOutdated = trouble.lastAttemptAt < (stored.confirmedAt ?? '');
      if (trouble.kind !== 'waiting' && isOutdated) return false;
      if (before === undefined) return { ...stored, trouble };
      const { nextAttemptAt, claimedAt, claimedBy } = before;
      const claim = { ...(claimedAt && { claimedAt }), ...(claimedBy && { claimedBy }) };
      const begun = { ...trouble, nextAttemptAt, ...claim };
      return rankOf(before) < rankOf(trouble) && { ...stored, trouble: begun };
    });
    const now = this.#of(epoch)?.trouble;
    return now !== undefined && rankOf(now) >= rankOf(trouble);
  }

  async recover(
    epoch: IntegrationEpoch,
    { confirmedAt, requestedBy }: Recovered = {},
  ): Promise<boolean> {
    const at = confirmedAt?.toISOString();
    const isDone = this.#change(epoch, ({ streak: _, ...stored }) => {
      if (stored.trouble?.kind !== 'busy' && stored.trouble?.kind !== 'failed') return false;
      const { event: __, confirmedOthers: ___, ...trouble } = stored.trouble;
      return {
        ...stored,
        trouble: { ...trouble, kind: 'waiting' },
        ...(at !== undefined && at > (stored.confirmedAt ?? '') && { confirmedAt: at }),
        ...(requestedBy && { changedBy: requestedBy }),
      };
    });
    const now = this.#of(epoch);
    const isRepeated = at !== undefined && (now?.confirmedAt ?? '') >= at;
    return isDone || (isRepeated && now?.trouble?.kind === 'waiting');
  }

  async closeEpoch(epoch: IntegrationEpoch): Promise<boolean> {
    return this.#change(
      epoch,
      ({ trouble, ...stored }) =>
        (trouble === undefined || trouble.kind === 'waiting') && {
          ...stored,
          epoch: stored.epoch + 1,
        },
    );
  }

  async claimRetry(
    epoch: IntegrationEpoch,
    { lastBefore, claimedAt, claimedBy, nextAttemptAt }: RetryClaim,
  ): Promise<boolean> {
    return this.#change(
      epoch,
      ({ trouble, ...stored }) =>
        trouble !== undefined &&
        ((trouble.claimedAt ?? '') <= lastBefore.toISOString() ||
          trouble.claimedBy === claimedBy) && {
          ...stored,
          trouble: {
            ...trouble,
            claimedAt: claimedAt.toISOString(),
            claimedBy,
            nextAttemptAt: nextAttemptAt.toISOString(),
          },
        },
    );
  }

  async noteSlowness(read: Integration, slowness: Slowness): Promise<void> {
    const { account, id } = read;
    const stored = this.#integrations.get(keyOf({ account, id }));
    if (stored === undefined || stored.slowness?.notedAt !== read.slowness?.notedAt) return;
    const { slowness: _, ...others } = stored;
    this.#keep({ ...others, ...(slowness.score > 0 && { slowness }) });
  }

  async noteReminder({ account, id, remindedAt }: Integration, at: Date): Promise<void> {
    const stored = this.#integrations.get(keyOf({ account, id }));
    if (stored === undefined || stored.remindedAt !== remindedAt) return;
    this.#keep({ ...stored, remindedAt: at.toISOString() });
  }

  async countSetAside(
    { account, id }: Pick<Integration, 'account' | 'id'>,
    by: 1 | -1,
  ): Promise<void> {
    const stored = this.#integrations.get(keyOf({ account, id }));
    if (stored) this.#keep({ ...stored, setAside: (stored.setAside ?? 0) + by });
  }

  async noteAttempt(
    epoch: IntegrationEpoch,
    { walkedTo, ...latest }: LatestAttempt & Pick<Trouble, 'walkedTo'>,
  ): Promise<boolean> {
    return this.#change(epoch, ({ trouble, ...stored }) => {
      if (!trouble) return false;
      const { statusCode: _, reason: __, ...others } = trouble;
      const walk = walkedTo !== undefined && { walkedTo };
      return { ...stored, trouble: { ...others, ...latest, ...walk } };
    });
  }

  async noteReplaying(epoch: IntegrationEpoch, until: Date | undefined): Promise<void> {
    this.#change(epoch, ({ replayingUntil: _, ...stored }) => ({
      ...stored,
      ...(until && { replayingUntil: until.toISOString() }),
    }));
  }

  async noteConfirmed(epoch: IntegrationEpoch, at: Date): Promise<void> {
    this.#change(
      epoch,
      ({ confirmedAt = '', ...stored }) =>
        stored.streak === undefined &&
        confirmedAt < at.toISOString() && { ...stored, confirmedAt: at.toISOString() },
    );
  }

  #of(readAt: IntegrationEpoch): Integration | undefined {
    const stored = this.#integrations.get(keyOf(readAt));
    return stored?.epoch === readAt.epoch ? stored : undefined;
  }

  #change(readAt: IntegrationEpoch, change: (stored: Integration) => Integration | false): boolean {
    const stored = this.#of(readAt);
    const changed = stored !== undefined && change(stored);
    if (changed) this.#keep(changed);
    return changed !== false;
  }

  #keep(integration: Integration): void {
    this.#integrations.set(keyOf(integration), integration);
  }
}

const keyOf = ({ account, id }: Pick<Integration, 'account' | 'id'>): string => `${account}/${id}`;

const hashOf = (text: string): number =>
  [...text].reduce((hash, letter) => (31 * hash + letter.charCodeAt(0)) % 1_000_003, 0);
