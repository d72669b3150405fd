import type {
  Days,
  DeliveryIndex,
  FoundPositions,
  StreamedDelivery,
  SubjectKey,
} from '../../../core/delivery/search/delivery-index.ts';

const DAY_MS = 86_400_000;

export class InMemoryDeliveryIndex implements DeliveryIndex {
  readonly #added: StreamedDelivery[] = [];
  readonly #bytesOfEntry: number;
  /** The days of each read. */
  readonly reads: Days[] = [];

  constructor({ bytesOfEntry = 11 } = {}) {
    this.#bytesOfEntry = bytesOfEntry;
  }

  async add(_shard: string, deliveries: readonly StreamedDelivery[]): Promise<void> {
    this.#added.push(...deliveries);
  }

  async positionsOf(
    { account, subject }: SubjectKey,
    integrations: readonly string[],
    days: Days,
  ): Promise<FoundPositions> {
    this.reads.push(days);
    const ofDays = this.#added
      .map((added) => ({ ...added, occurredAt: Date.parse(added.event.occurredAt) }))
      .filter(({ occurredAt }) => {
        const day = Math.floor(occurredAt / DAY_MS);
        return days.from <= day && day <= days.to;
      });
    return {
      positions: ofDays
        .filter((added) => added.account === account && added.subject === subject)
        .filter(({ integration }) => integrations.includes(integration))
        .map(({ integration, occurredAt }) => ({ integration, occurredAt, part: 0 })),
      bytes: ofDays.length * this.#bytesOfEntry,
    };
  }
}
