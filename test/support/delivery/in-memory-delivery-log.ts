import { LOOKED_AT } from '../../../adapters/dynamodb/delivery-log/delivery-log-readings.ts';
import { partitionNumberOf } from '../../../adapters/dynamodb/table/stored-deliveries.ts';
import type { Attempt } from '../../../core/delivery/attempt.ts';
import { type Delivery, deliveryId } from '../../../core/delivery/delivery.ts';
import type {
  Cursor,
  DeliveryLog,
  LogEntry,
  LoggedAttempt,
  LogReading,
} from '../../../core/delivery/delivery-log.ts';
import type {
  DeliveryFilter,
  DeliveryLogReader,
  DeliveryPage,
  LoggedDelivery,
  LogPosition,
  Wanted,
} from '../../../core/delivery/delivery-log-reader.ts';
import { isTest, outcomeOf } from '../../../core/delivery/delivery-log-reader.ts';
import { pageOf } from './positions.ts';

/** The whole delivery log: what is listed, the bodies, and the attempts. */
export class InMemoryDeliveryLog implements DeliveryLog, DeliveryLogReader {
  /** By delivery id. */
  protected readonly listed = new Map<string, LoggedDelivery>();
  protected readonly bodies = new Map<string, string>();
  readonly #attempts = new Map<string, Attempt>();

  /** In the order in which they were recorded. */
  get attempts(): readonly Attempt[] {
    return [...this.#attempts.values()];
  }

  get deliveries(): readonly LoggedDelivery[] {
    return [...this.listed.values()];
  }

  async write(entries: readonly LogEntry[]): Promise<readonly boolean[]> {
    return entries.map(({ delivery, attempt, logged }) => {
      const id = deliveryId(delivery.integration, delivery.event.id);
      const isFirst = logged === 'nothing' || logged === 'listed';
      const { latestAttempt } = this.listed.get(id) ?? {};
      const isRepeated =
        latestAttempt !== undefined &&
        !isSame(latestAttempt, attempt) &&
        (isFirst || latestAttempt.startedAt > attempt.startedAt);
      const isKept = logged === 'attempted' || logged === 'delivered' || this.bodies.has(id);
      if (!isKept) this.bodies.set(id, delivery.body);
      this.#list(id, attempt);
      return isRepeated;
    });
  }

  async list(deliveries: readonly Delivery[]): Promise<readonly undefined[]> {
    return deliveries.map(({ account, integration, event, body }) => {
      const id = deliveryId(integration, event.id);
      if (this.listed.has(id)) return undefined;
      this.bodies.set(id, body);
      this.listed.set(id, { account, integration, event });
      return undefined;
    });
  }

  /** Puts an attempt into the log, without the body that was sent. */
  async record(attempt: Attempt): Promise<void> {
    this.#list(deliveryId(attempt.integration, attempt.event.id), attempt);
  }

  async read(
    deliveries: readonly Pick<Delivery, 'integration' | 'event'>[],
  ): Promise<readonly LogReading[]> {
    return deliveries.map(({ integration, event }) => {
      const listed = this.listed.get(deliveryId(integration, event.id));
      if (listed === undefined) return { logged: 'nothing' };
      const { deliveredAt, latestAttempt, event: known } = listed;
      const asListed = known.occurredAt !== event.occurredAt && { occurredAt: known.occurredAt };
      if (latestAttempt === undefined) return { logged: 'listed', ...asListed };
      const { number, nextAttemptAt } = latestAttempt;
      const [first] = this.#attemptsOf(deliveryId(integration, event.id));
      return {
        logged: deliveredAt === undefined ? 'attempted' : 'delivered',
        ...asListed,
        ...(deliveredAt !== undefined && { deliveredAt }),
        latestAttempt: {
          ...loggedAttempt(latestAttempt),
          number,
          backsOff: nextAttemptAt !== undefined,
        },
        ...(first && first !== latestAttempt && { firstAttempt: loggedAttempt(first) }),
      };
    });
  }

  #attemptsOf(id: string): Attempt[] {
    return [...this.#attempts].filter(([key]) => key.startsWith(`${id} `)).map(([, one]) => one);
  }

  async confirmedSince(integration: string, since: Date): Promise<boolean> {
    return this.latest(integration).some(
      ({ deliveredAt = '' }) => deliveredAt >= since.toISOString(),
    );
  }

  /** The newest of each partition, as the adapter reads them, without tests. */
  protected latest(integration: string): LoggedDelivery[] {
    const listed = this.#listedOf(integration);
    const partitions = Map.groupBy(listed, ({ event }) => partitionNumberOf(event.id));
    return [...partitions.values()]
      .flatMap((partition) => pageOf(partition, { order: 'newest', limit: LOOKED_AT }).deliveries)
      .filter((delivery) => !isTest(delivery));
  }

  #list(id: string, attempt: Attempt): void {
    const { account, integration, event, startedAt, durationMs, outcome } = attempt;
    this.#attempts.set(`${id} ${startedAt.toISOString()} ${attempt.number}`, attempt);
    const known: LoggedDelivery = this.listed.get(id) ?? { account, integration, event };
    const isLatest = !(known.latestAttempt && known.latestAttempt.startedAt > startedAt);
    const endedAt = new Date(startedAt.getTime() + durationMs).toISOString();
    const deliveredAt = known.deliveredAt ?? (outcome.class === 'delivered' ? endedAt : undefined);
    this.listed.set(id, {
      ...known,
      ...(isLatest && { latestAttempt: attempt }),
      ...(deliveredAt !== undefined && { deliveredAt }),
    });
  }

  async newest(
    integration: string,
    { filter, ...page }: { filter: DeliveryFilter; limit: number; after?: Cursor },
  ): Promise<DeliveryPage> {
    const { since, until } = filter;
    const kept = this.#listedOf(integration).filter((delivery) => {
      const occurredAt = new Date(delivery.event.occurredAt);
      return (
        matches(delivery, filter) &&
        (since === undefined || since <= occurredAt) &&
        (until === undefined || occurredAt < until)
      );
    });
    return pageOf(kept, { order: 'newest', ...page });
  }

  async at(integration: string, { occurredAt }: LogPosition, { filter, isWanted }: Wanted) {
    return this.#listedOf(integration).filter(
      (delivery) =>
        Date.parse(delivery.event.occurredAt) === occurredAt &&
        matches(delivery, filter) &&
        isWanted(delivery, this.bodies.get(deliveryId(integration, delivery.event.id)) ?? ''),
    );
  }

  async undelivered(
    integration: string,
    { since, ...page }: { since: Date; limit: number; after?: Cursor },
  ): Promise<DeliveryPage> {
    const kept = this.#listedOf(integration).filter(
      (delivery) => since <= new Date(delivery.event.occurredAt) && isMissing(delivery),
    );
    return pageOf(kept, { order: 'oldest', ...page });
  }

  async find(integration: string, eventId: string): Promise<LoggedDelivery | undefined> {
    return this.#listedOf(integration).find(({ event }) => event.id === eventId);
  }

  async bodyOf({ integration, event }: LoggedDelivery): Promise<string | undefined> {
    return this.bodies.get(deliveryId(integration, event.id));
  }

  async attemptsOf({ integration, event }: LoggedDelivery): Promise<readonly Attempt[]> {
    return this.attempts
      .filter((attempt) => attempt.integration === integration && attempt.event.id === event.id)
      .toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime())
      .slice(-1_000);
  }

  #listedOf(integration: string): LoggedDelivery[] {
    return this.deliveries
      .filter((delivery) => delivery.integration === integration)
      .map(({ latestAttempt, ...delivery }) => ({
        ...delivery,
        ...(latestAttempt && { latestAttempt: withoutResponse(latestAttempt) }),
      }));
  }
}

const isSame = (a: Attempt, b: Attempt): boolean =>
  a.startedAt.getTime() === b.startedAt.getTime() && a.number === b.number;

const loggedAttempt = ({ startedAt, outcome }: Attempt): LoggedAttempt => ({
  startedAt: startedAt.toISOString(),
  outcome: outcome.class,
  ...(outcome.result.kind === 'answered' && { statusCode: outcome.result.statusCode }),
});

const matches = (
  delivery: LoggedDelivery,
  { isDelivered, outcome, eventType }: DeliveryFilter,
): boolean =>
  (isDelivered !== true || delivery.deliveredAt !== undefined) &&
  (isDelivered !== false || isMissing(delivery)) &&
  (outcome === undefined || outcome === outcomeOf(delivery)) &&
  (eventType === undefined || eventType === delivery.event.type);

const isMissing = (delivery: LoggedDelivery): boolean =>
  delivery.deliveredAt === undefined && !isTest(delivery);

/** As the log lists it. */
const withoutResponse = ({ outcome, ...attempt }: Attempt): Attempt => {
  const { result } = outcome;
  if (result.kind === 'unanswered') return { ...attempt, outcome };
  const { kind, statusCode } = result;
  return { ...attempt, outcome: { ...outcome, result: { kind, statusCode, responseStart: '' } } };
};
