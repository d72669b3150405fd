import type { Delivery, EventReference } from '../delivery.ts';
import type { DeliveryLog } from '../delivery-log.ts';

/** So many deliveries of a replay, and the first ten of them. */
export interface Step {
  readonly size: number;
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

/**
 * How a replay feels its way: one delivery first, then ten times as many with each step, once one of
 * the step before is confirmed. A run looks for a second. Otherwise another run goes on when the
 * attempts are over, which may have made the integration busy or failed.
 */
export const buildSteps = (
  { deliveryLog, now, pause }: StepPorts,
  { integration, given }: { integration: string; given: Step | undefined },
) => {
  let step: Step = given ?? { size: 1 / GROWTH, events: [] };
  let left = 0;
  let looks = 0;
  /** Without the log, the replay goes on. */
  const isConfirmed = (): Promise<boolean> =>
    deliveryLog
      .read(step.events.map((event) => ({ integration, event })))
      .then((read) => read.some((each) => 'logged' in each && each.logged === 'delivered'))
      .catch(() => true);
  return {
    /** How many deliveries may be enqueued; none before it is known how the step went. */
    allowed: async (): Promise<number> => {
      if (left > 0) return left;
      if (step === given || step.events.length === 0 || (await isConfirmed())) {
        step = { size: step.size * GROWTH, events: [] };
        left = step.size;
        looks = 0;
      } else {
        looks += 1;
        await pause(LOOK_EVERY_MS);
      }
      return left;
    },
    enqueued: (deliveries: readonly Delivery[]): void => {
      left -= deliveries.length;
      const events = [...step.events, ...deliveries.map(({ event }) => event)];
      step = { ...step, events: events.slice(0, GROWTH) };
    },
    hasPatience: (): boolean => looks < MOST_LOOKS,
    /** What the next run must know, if it is not known how the step went. */
    next: (): { step?: Step; notBefore?: Date } =>
      left === 0 && step.events.length > 0
        ? { step, notBefore: new Date(now().getTime() + ANSWERED_AFTER_MS) }
        : {},
  };
};
