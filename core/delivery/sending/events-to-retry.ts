import { positionOf } from '../delivery.ts';
import type { Logged, ReadLog } from '../delivery-log.ts';
import type { PendingEvent, PendingEvents } from '../pending/pending-events.ts';

/** A pending event that the log does not show as delivered. */
export interface SendableEvent {
  readonly pending: PendingEvent;
  readonly logged: Logged;
  /** With the event that was drawn: where the walk of the next retry begins. */
  readonly walkedTo?: string | undefined;
}

interface Ports {
  pendingEvents: Pick<PendingEvents, 'oldest' | 'newest' | 'sample' | 'removeAsRead'>;
  readLog: ReadLog;
  /** Uniform in [0, 1). */
  random: () => number;
}

const TURNS = 10;
const NEWEST = 3;
/** As the sample is an eighth, a retry walks past 800 events, and in two days past 38,000. */
const WALKED = 100;

/**
 * The events of a retry, each read when the one before was not confirmed: of the ten oldest the one
 * with the fewest attempts, the newest, and one drawn among the next hundred of a walk through all.
 * So events that the endpoint never confirms cannot keep the integration in trouble, wherever they
 * stand, and however they are spread in time.
 */
export async function* eventsToRetry(
  integration: string,
  ports: Ports & { walkedTo?: string | undefined },
): AsyncGenerator<SendableEvent, undefined> {
  const { pendingEvents, readLog, random, walkedTo: after } = ports;
  const seen = new Set<string>();
  let oldest: readonly PendingEvent[] = [];
  /** Removes delivered events: an endpoint that refuses duplicates would hold up all later ones. */
  const firstSendable = async (
    read: () => Promise<readonly PendingEvent[]>,
  ): Promise<SendableEvent | undefined> => {
    for (;;) {
      const unseen = (await read()).filter(({ delivery }) => !seen.has(positionOf(delivery)));
      if (unseen.length === 0) return undefined;
      for (const pending of unseen) {
        seen.add(positionOf(pending.delivery));
        const { logged } = await readLog(pending.delivery);
        if (logged !== 'delivered' || pending.delivery.trigger === 'manual') {
          return { pending, logged };
        }
        await pendingEvents.removeAsRead(pending);
      }
    }
  };
  const first = await firstSendable(async () => {
    oldest = await pendingEvents.oldest(integration, TURNS);
    return oldest.toSorted((a, b) => a.delivery.priorAttempts - b.delivery.priorAttempts);
  });
  if (first === undefined) return;
  yield first;
  const second = await firstSendable(() => pendingEvents.newest(integration, NEWEST));
  if (second === undefined) return;
  yield second;
  let walkedTo: string | undefined;
  const drawn = await firstSendable(async () => {
    const sample = await pendingEvents.sample(integration, {
      ...{ after, limit: WALKED },
      random: random(),
    });
    const last = sample.at(-1);
    walkedTo = last && positionOf(last.delivery);
    // Of a few events, none of this sample may be left.
    return [...rotated(sample, random()), ...oldest];
  });
  if (drawn !== undefined) yield { ...drawn, walkedTo };
}

/** Begins at a random place. */
const rotated = <Each>(all: readonly Each[], random: number): readonly Each[] => {
  const start = Math.floor(random * all.length);
  return [...all.slice(start), ...all.slice(0, start)];
};
