import { type Delivery, deliveryId } from '../../../core/delivery/delivery.ts';
import type { DeliveryLog, LogEntry, LogReading } from '../../../core/delivery/delivery-log.ts';
import type { Integration } from '../../../core/integration/integration.ts';
import { InMemoryIntegrations } from '../../support/integration/in-memory-integrations.ts';

/** Finds the integrations of an account without looking at all. */
export class IntegrationsByAccount extends InMemoryIntegrations {
  readonly #idsOf = new Map<string, string[]>();

  constructor(integrations: readonly Integration[]) {
    super();
    for (const integration of integrations) {
      const { account, id } = integration;
      this.#idsOf.set(account, [...(this.#idsOf.get(account) ?? []), id]);
      void this.add(integration);
    }
  }

  override async listOf(account: string): Promise<readonly Integration[]> {
    const ids = this.#idsOf.get(account) ?? [];
    const found = await this.findAll(ids.map((id) => ({ account, id })));
    return found.filter((integration) => integration !== undefined);
  }
}

/**
 * A delivery log of what the core asks about. It forgets deliveries that their first attempt
 * delivered: no queue of the model hands out a message that was deleted.
 */
export class ForgetfulDeliveryLog implements DeliveryLog {
  readonly #readings = new Map<string, LogReading>();
  readonly #confirmedAtMs = new Map<string, number>();

  async write(entries: readonly LogEntry[]): Promise<void> {
    for (const { delivery, attempt } of entries) {
      const id = idOf(delivery);
      const { number, nextAttemptAt, startedAt, durationMs } = attempt;
      if (attempt.outcome.class === 'delivered') {
        if (this.#readings.has(id)) this.#readings.set(id, { logged: 'delivered' });
        this.#confirmedAtMs.set(delivery.integration, startedAt.getTime() + durationMs);
      } else {
        const backsOff = nextAttemptAt !== undefined && { backsOffAfter: number };
        this.#readings.set(id, { logged: 'attempted', ...backsOff });
      }
    }
  }

  /** Whether a delivery is listed changes nothing of what is done with it. */
  async list(deliveries: readonly Delivery[]): Promise<readonly undefined[]> {
    return deliveries.map(() => undefined);
  }

  async read(deliveries: readonly Delivery[]): Promise<readonly LogReading[]> {
    return deliveries.map(
      (delivery) => this.#readings.get(idOf(delivery)) ?? { logged: 'nothing' },
    );
  }

  async confirmedSince(integration: string, since: Date): Promise<boolean> {
    return (this.#confirmedAtMs.get(integration) ?? 0) >= since.getTime();
  }
}

const idOf = ({ integration, event }: Delivery): string => deliveryId(integration, event.id);
