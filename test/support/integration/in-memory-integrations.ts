import type { SlotStore } from '../../../core/delivery/attempt/slots.ts';
import type { TransientRow, TroubleStates } from '../../../core/delivery/trouble/troubles.ts';
import type {
  AccountIntegrations,
  ChangingIntegrations,
  EveryIntegration,
  Integration,
  IntegrationBatches,
  IntegrationCounts,
  IntegrationEpoch,
  IntegrationKey,
  IntegrationPages,
  IntegrationStore,
  LatestAttempt,
  NewIntegrations,
  Slots,
  Trouble,
} from '../../../core/integration/integration.ts';

/** Of `pageOfAll`: small, so that tests see several. */
const PAGE_OF_ALL = 2;

/** What is kept is never changed, only replaced: no copies are needed. */
export class InMemoryIntegrations
  implements
    IntegrationStore,
    IntegrationBatches,
    AccountIntegrations,
    IntegrationPages,
    EveryIntegration,
    IntegrationCounts,
    NewIntegrations,
    ChangingIntegrations,
    TroubleStates,
    SlotStore
{
  readonly #integrations = new Map<string, Integration>();

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

  async pageOfAll(after?: IntegrationKey) {
    const rest = this.all
      .filter((integration) => after === undefined || keyOf(integration) > keyOf(after))
      .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const integrations = rest.slice(0, PAGE_OF_ALL);
    const last = rest.length > PAGE_OF_ALL ? integrations.at(-1) : undefined;
    return { integrations, ...(last && { next: { account: last.account, id: last.id } }) };
  }

  async add(integration: Integration): Promise<'added' | 'exists'> {
    if (this.#integrations.has(keyOf(integration))) return 'exists';
    this.#keep(integration);
    return 'added';
  }

  async replace(integration: Integration, readAt: IntegrationEpoch): Promise<boolean> {
    return this.#change(readAt, ({ slots, setAside, slowAt }) => ({
      ...integration,
      slots,
      ...(slowAt !== undefined && { slowAt }),
      ...(setAside !== undefined && { setAside }),
    }));
  }

  async remove(readAt: IntegrationEpoch): Promise<boolean> {
    if (this.#of(readAt) !== undefined) this.#integrations.delete(keyOf(readAt));
    return !this.#integrations.has(keyOf(readAt));
  }

  async countTransient(
    epoch: IntegrationEpoch,
    { startedAt, endedAt }: { startedAt: Date; endedAt: Date },
  ): Promise<TransientRow | undefined> {
    this.#change(epoch, ({ transientsSince = endedAt.toISOString(), ...stored }) => {
      const isBefore = stored.transients > 0 && startedAt.toISOString() < transientsSince;
      return !isBefore && { ...stored, transientsSince, transients: stored.transients + 1 };
    });
    return this.#of(epoch);
  }

  async confirm(epoch: IntegrationEpoch, confirmedAt: Date): Promise<boolean> {
    this.#change(epoch, ({ transientsSince: _, ...stored }) => ({
      ...stored,
      transients: 0,
      confirmedAt: confirmedAt.toISOString(),
    }));
    return this.#of(epoch)?.trouble?.kind === 'busy';
  }

  async awaitReplay(epoch: IntegrationEpoch): Promise<void> {
    this.#change(epoch, (stored) => ({ ...stored, awaitsReplay: true }));
  }

  async takeSlot(
    { account, id }: Pick<Integration, 'account' | 'id'>,
    { slot, now, until }: { slot: string; now: number; until: number },
  ): Promise<'taken' | Slots | undefined> {
    const stored = this.#integrations.get(keyOf({ account, id }));
    if (stored === undefined || (stored.slots[slot] ?? 0) > now) return stored?.slots;
    this.#keep({ ...stored, slots: { ...stored.slots, [slot]: until } });
    return 'taken';
  }

  async begin(epoch: IntegrationEpoch, trouble: Trouble): Promise<boolean> {
    return this.#change(epoch, (stored) => {
      if (!stored.trouble) return { ...stored, trouble };
      if (stored.trouble.kind === 'failed' || trouble.kind === 'busy') return stored;
      return { ...stored, trouble: { ...trouble, nextAttemptAt: stored.trouble.nextAttemptAt } };
    });
  }

  async end(epoch: IntegrationEpoch, confirmedAt?: Date): Promise<boolean> {
    return this.#change(
      epoch,
      ({ trouble, transientsSince: _, awaitsReplay: __, ...stored }) =>
        trouble !== undefined && {
          ...stored,
          epoch: stored.epoch + 1,
          transients: 0,
          ...(confirmedAt && { confirmedAt: confirmedAt.toISOString() }),
        },
    );
  }

  async closeEpoch(epoch: IntegrationEpoch, next: number): Promise<boolean> {
    return this.#change(
      epoch,
      ({ awaitsReplay: _, ...stored }) => !stored.trouble && { ...stored, epoch: next },
    );
  }

  async claimRetry(
    epoch: IntegrationEpoch,
    { dueBy, nextAttemptAt }: { dueBy: Date; nextAttemptAt: Date },
  ): Promise<boolean> {
    return this.#change(
      epoch,
      ({ trouble, ...stored }) =>
        trouble !== undefined &&
        trouble.nextAttemptAt <= dueBy.toISOString() && {
          ...stored,
          trouble: { ...trouble, nextAttemptAt: nextAttemptAt.toISOString() },
        },
    );
  }

  async freeSlot(
    { account, id }: Pick<Integration, 'account' | 'id'>,
    slot: string,
  ): Promise<void> {
    const stored = this.#integrations.get(keyOf({ account, id }));
    if (stored === undefined) return;
    const { [slot]: _, ...slots } = stored.slots;
    this.#keep({ ...stored, slots });
  }

  async noteSlow(
    { account, id }: Pick<Integration, 'account' | 'id'>,
    slowAt: Date,
  ): Promise<void> {
    const stored = this.#integrations.get(keyOf({ account, id }));
    if (stored) this.#keep({ ...stored, slowAt: slowAt.toISOString() });
  }

  async clearSlow(
    { account, id }: Pick<Integration, 'account' | 'id'>,
    slowAt: string,
  ): Promise<void> {
    const stored = this.#integrations.get(keyOf({ account, id }));
    if (stored?.slowAt !== slowAt) return;
    const { slowAt: _, ...fast } = stored;
    this.#keep(fast);
  }

  async countSetAside(
    { account, id }: Pick<Integration, 'account' | 'id'>,
    by: 1 | -1,
  ): Promise<void> {
    const stored = this.#integrations.get(keyOf({ account, id }));
    if (stored) this.#keep({ ...stored, setAside: (stored.setAside ?? 0) + by });
  }

  async noteAttempt(epoch: IntegrationEpoch, latest: LatestAttempt): Promise<void> {
    this.#change(epoch, ({ trouble, ...stored }) => {
      if (!trouble) return false;
      const { kind, since, nextAttemptAt } = trouble;
      return { ...stored, trouble: { kind, since, nextAttemptAt, ...latest } };
    });
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
