import { positionOf } from '../delivery.ts';
import type { Logged, ReadLog } from '../delivery-log.ts';
import type { PendingEvent, PendingEvents } from '../pending/pending-events.ts';

/** A pending event that the log does not show as delivered. */
export interface SendableEvent {
  readonly pending: PendingEvent;
  readonly logged: Logged;
  /** When the oldest pending event occurred. RFC 3339. */
  readonly oldestOccurredAt: string;
}

interface Ports {
  pendingEvents: Pick<PendingEvents, 'oldest' | 'newest' | 'removeAsRead'>;
  readLog: ReadLog;
  /** Uniform in [0, 1). */
  random: () => number;
}

const TURNS = 10;
const NEWEST = 3;
/** One of so many events around the random instant is chosen: events may have occurred in bursts. */
const AROUND_AN_INSTANT = 30;

/**
 * The events of a retry, each read when the one before was not confirmed: of the ten oldest the one
 * with the fewest attempts, the newest, and one from a random instant between the two. So events
 * that the endpoint never confirms cannot keep the integration in trouble, wherever they stand.
 */
export async function* eventsToRetry(
  integration: string,
  { pendingEvents, readLog, random }: Ports,
): AsyncGenerator<SendableEvent, undefined> {
  const tried = new Set<string>();
  let oldestOccurredAt = '';
  /** Removes delivered events: an endpoint that refuses duplicates would hold up all later ones. */
  const firstSendable = async (
    read: () => Promise<readonly PendingEvent[]>,
  ): Promise<SendableEvent | undefined> => {
    for (;;) {
      const untried = (await read()).filter(({ delivery }) => !tried.has(positionOf(delivery)));
      if (untried.length === 0) return undefined;
      for (const pending of untried) {
        const { logged } = await readLog(pending.delivery);
        if (logged !== 'delivered' || pending.delivery.trigger === 'manual') {
          tried.add(positionOf(pending.delivery));
          return { pending, logged, oldestOccurredAt };
        }
        await pendingEvents.removeAsRead(pending);
      }
    }
  };
  const first = await firstSendable(async () => {
    const oldest = await pendingEvents.oldest(integration, TURNS);
    oldestOccurredAt = oldest[0]?.delivery.event.occurredAt ?? '';
    return oldest.toSorted((a, b) => a.delivery.priorAttempts - b.delivery.priorAttempts);
  });
  if (first === undefined) return;
  yield first;
  const newest = await firstSendable(() => pendingEvents.newest(integration, NEWEST));
  if (newest === undefined) return;
  yield newest;
  const fromMs = occurredAtMs(first);
  const after = new Date(fromMs + random() * (occurredAtMs(newest) - fromMs)).toISOString();
  const between =
    (await firstSendable(async () =>
      rotated(await pendingEvents.oldest(integration, AROUND_AN_INSTANT, { after }), random()),
    )) ??
    (await firstSendable(async () =>
      rotated(await pendingEvents.newest(integration, AROUND_AN_INSTANT), random()),
    ));
  if (between !== undefined) yield between;
}

const occurredAtMs = ({ pending }: SendableEvent): number =>
  Date.parse(pending.delivery.event.occurredAt);

/** Begins at a random place. */
const rotated = <Each>(all: readonly Each[], random: number): readonly Each[] => {
  const start = Math.floor(random * all.length);
  return [...all.slice(start), ...all.slice(0, start)];
};
