import type {
  AccountIntegrations,
  ChangingIntegrations,
  DeliveryStates,
  Integration,
  IntegrationPages,
  IntegrationStore,
  LatestAttempt,
  Moment,
  NewIntegrations,
  Trouble,
} from '../../core/integrations/integration.ts';

/** What is kept is never changed, only replaced: no copies are needed. */
export class InMemoryIntegrations
  implements
    IntegrationStore,
    AccountIntegrations,
    IntegrationPages,
    NewIntegrations,
    ChangingIntegrations,
    DeliveryStates
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

  async listOf(account: string): Promise<readonly Integration[]> {
    return this.all.filter((integration) => integration.account === account);
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

  async add(integration: Integration): Promise<'added' | 'exists'> {
    if (this.#integrations.has(keyOf(integration))) return 'exists';
    this.#keep(integration);
    return 'added';
  }

  async replace(integration: Integration, readAt: Moment): Promise<boolean> {
    return this.#change(readAt, () => integration);
  }

  async remove(readAt: Moment): Promise<boolean> {
    return this.#of(readAt) !== undefined && this.#integrations.delete(keyOf(readAt));
  }

  async countTransient(moment: Moment): Promise<number | undefined> {
    this.#change(moment, (stored) => ({ ...stored, transients: stored.transients + 1 }));
    return this.#of(moment)?.transients;
  }

  async forgetTransients(moment: Moment): Promise<void> {
    this.#change(moment, (stored) => ({ ...stored, transients: 0 }));
  }

  async enterTrouble(moment: Moment, trouble: Trouble): Promise<boolean> {
    return this.#change(moment, (stored) => {
      const { delivery } = stored;
      if (delivery.kind === 'healthy') return { ...stored, delivery: trouble };
      if (delivery.kind === 'failed' || trouble.kind === 'busy') return stored;
      return { ...stored, delivery: { ...trouble, nextAttemptAt: delivery.nextAttemptAt } };
    });
  }

  async leaveTrouble(moment: Moment): Promise<boolean> {
    return this.#change(
      moment,
      ({ delivery, ...stored }) =>
        delivery.kind !== 'healthy' && {
          ...stored,
          incident: stored.incident + 1,
          transients: 0,
          delivery: { kind: 'healthy' },
        },
    );
  }

  async closeIncident(moment: Moment, next: number): Promise<boolean> {
    return this.#change(
      moment,
      (stored) => stored.delivery.kind === 'healthy' && { ...stored, incident: next },
    );
  }

  async claimRetry(
    moment: Moment,
    { dueBy, nextAttemptAt }: { dueBy: Date; nextAttemptAt: Date },
  ): Promise<boolean> {
    return this.#change(
      moment,
      ({ delivery, ...stored }) =>
        delivery.kind !== 'healthy' &&
        delivery.nextAttemptAt <= dueBy.toISOString() && {
          ...stored,
          delivery: { ...delivery, nextAttemptAt: nextAttemptAt.toISOString() },
        },
    );
  }

  async noteAttempt(moment: Moment, latest: LatestAttempt): Promise<void> {
    this.#change(moment, ({ delivery, ...stored }) => {
      if (delivery.kind === 'healthy') return false;
      const { kind, since, nextAttemptAt } = delivery;
      return { ...stored, delivery: { kind, since, nextAttemptAt, ...latest } };
    });
  }

  #of(moment: Moment): Integration | undefined {
    const stored = this.#integrations.get(keyOf(moment));
    return stored?.incident === moment.incident ? stored : undefined;
  }

  #change(moment: Moment, change: (stored: Integration) => Integration | false): boolean {
    const stored = this.#of(moment);
    const changed = stored !== undefined && change(stored);
    if (changed) this.#keep(changed);
    return changed !== false;
  }

  #keep(integration: Integration): void {
    this.#integrations.set(keyOf(integration), integration);
  }
}

const keyOf = ({ account, id }: Pick<Integration, 'account' | 'id'>): string => `${account}/${id}`;
