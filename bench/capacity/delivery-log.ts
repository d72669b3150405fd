import { endOf } from '../../core/delivery/attempt.ts';
import { type Delivery, deliveryId } from '../../core/delivery/delivery.ts';
import type { DeliveryLog, LogEntry, LogReading } from '../../core/delivery/delivery-log.ts';

/**
 * A delivery log of what the core asks about. It forgets deliveries that their first attempt
 * delivered: no queue of the model hands out a message that was deleted.
 */
export class ForgetfulDeliveryLog implements DeliveryLog {
  readonly #readings = new Map<string, LogReading>();
  /** By integration. */
  readonly #confirmedAtMs = new Map<string, number>();

  async write(entries: readonly LogEntry[]): Promise<readonly boolean[]> {
    return entries.map(({ delivery, attempt }) => {
      const { number, nextAttemptAt, startedAt, outcome } = attempt;
      if (outcome.class === 'delivered') {
        this.#readings.delete(idOf(delivery));
        this.#confirmedAtMs.set(delivery.integration, endOf(attempt).getTime());
        return false;
      }
      const { result } = outcome;
      const latestAttempt = {
        ...{ number, startedAt: startedAt.toISOString(), outcome: outcome.class },
        statusCode: result.kind === 'answered' ? result.statusCode : undefined,
        backsOff: nextAttemptAt !== undefined,
      };
      this.#readings.set(idOf(delivery), { logged: 'attempted', latestAttempt });
      return false;
    });
  }

  /** Whether a delivery is listed changes nothing of what is done with it. */
  async list(deliveries: readonly Delivery[]): Promise<readonly undefined[]> {
    return deliveries.map(() => undefined);
  }

  async read(deliveries: readonly Delivery[]): Promise<readonly LogReading[]> {
    return deliveries.map((one) => this.#readings.get(idOf(one)) ?? { logged: 'nothing' });
  }

  async confirmedSince(integration: string, since: Date): Promise<boolean> {
    return (this.#confirmedAtMs.get(integration) ?? 0) >= since.getTime();
  }
}

const idOf = ({ integration, event }: Delivery): string => deliveryId(integration, event.id);
