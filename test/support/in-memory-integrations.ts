import type {
  AccountIntegrations,
  Integration,
  IntegrationStore,
  NewIntegrations,
} from '../../core/integrations/integration.ts';

export class InMemoryIntegrations
  implements IntegrationStore, AccountIntegrations, NewIntegrations
{
  readonly #integrations = new Map<string, Integration>();

  constructor(...integrations: Integration[]) {
    for (const integration of integrations) this.#keep(integration);
  }

  get all(): readonly Integration[] {
    return [...this.#integrations.values()];
  }

  async find(account: string, id: string): Promise<Integration | undefined> {
    return structuredClone(this.#integrations.get(keyOf(account, id)));
  }

  async listOf(account: string): Promise<readonly Integration[]> {
    return structuredClone(this.all.filter((integration) => integration.account === account));
  }

  async add(integration: Integration): Promise<'added' | 'exists'> {
    if (this.#integrations.has(keyOf(integration.account, integration.id))) return 'exists';
    this.#keep(integration);
    return 'added';
  }

  #keep(integration: Integration): void {
    this.#integrations.set(
      keyOf(integration.account, integration.id),
      structuredClone(integration),
    );
  }
}

const keyOf = (account: string, id: string): string => JSON.stringify([account, id]);
