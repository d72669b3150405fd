import type { Integration } from '../../integration/integration.ts';
import type { Delivery, EventReference } from '../delivery.ts';
import type { DeliveryLog } from '../delivery-log.ts';

/** So many deliveries of a replay, the first ten of them, and the revision of the settings. */
export interface Step {
  readonly size: number;
  readonly revision: number;
  readonly events: readonly EventReference[];
}

export interface StepPorts {
  deliveryLog: Pick<DeliveryLog, 'read'>;
  now: () => Date;
  pause: (milliseconds: number) => Promise<void>;
}

const GROWTH = 10;
const MOST_LOOKS = 10;
const LOOK_EVERY_MS = 100;
/** By then an attempt of an endpoint that does not answer is over, in the slow lane too. */
const ANSWERED_AFTER_MS = 20_000;
const HOUR_MS = 3_600_000;

/**
 * How a replay feels its way: one delivery first, and ten times as many once one of a step was
 * confirmed. A run looks for a second. After that, another run goes on when the attempts are over:
 * with all the rest if the endpoint confirmed any event within the hour, so that events without an
 * answer do not hold up others; else as before. Other settings begin with one delivery again.
 */
export const buildSteps = ({ deliveryLog, now, pause }: StepPorts, given?: Step) => {
  let step = given;
  let left = 0;
  let looks = 0;
  const begin = (size: number, { revision }: Integration): number => {
    step = { size, revision, events: [] };
    looks = 0;
    left = size;
    return size;
  };
  return {
    /** How many deliveries may be enqueued; none before it is known how the step went. */
    allowed: async (integration: Integration): Promise<number> => {
      if (step?.revision !== integration.revision) return begin(1, integration);
      if (left > 0) return left;
      const { size, events } = step;
      // Without the log, the replay goes on.
      const isConfirmed = await deliveryLog
        .read(events.map((event) => ({ integration: integration.id, event })))
        .then((read) => read.some((each) => 'logged' in each && each.logged === 'delivered'))
        .catch(() => true);
      if (isConfirmed) return begin(size * GROWTH, integration);
      if (step === given) {
        return begin(
          confirmsAny(integration, now()) ? Number.POSITIVE_INFINITY : size,
          integration,
        );
      }
      looks += 1;
      await pause(LOOK_EVERY_MS);
      return 0;
    },
    enqueued: (deliveries: readonly Delivery[]): void => {
      left -= deliveries.length;
      const events = [...(step?.events ?? []), ...deliveries.map(({ event }) => event)];
      step = step && { ...step, events: events.slice(0, GROWTH) };
    },
    hasPatience: (): boolean => looks < MOST_LOOKS,
    /** What the next run must know, if it is not known how the step went. */
    next: (): { step?: Step; notBefore?: Date } =>
      step && left === 0 ? { step, notBefore: new Date(now().getTime() + ANSWERED_AFTER_MS) } : {},
  };
};

/** With the present settings. The integration shows successes that ended a streak or a trouble. */
const confirmsAny = ({ confirmedAt = '', updatedAt }: Integration, now: Date): boolean =>
  confirmedAt >= updatedAt && Date.parse(confirmedAt) >= now.getTime() - HOUR_MS;
