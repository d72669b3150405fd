import type { Delivery } from '../delivery.ts';
import type { DeliveryLog, LogReading } from '../delivery-log.ts';
import type { Step } from './replay-requests.ts';

export interface StepPorts {
  deliveryLog: Pick<DeliveryLog, 'read'>;
  now: () => Date;
  pause: (milliseconds: number) => Promise<void>;
}

const GROWTH = 10;
const MOST_LOOKS = 10;
const LOOK_EVERY_MS = 100;
/** By then, refusals of different events count as refusals in a row. */
const IN_A_ROW_MS = 2_500;
/** By then an attempt of an endpoint that does not answer is over, in the slow lane too. */
const ANSWERED_AFTER_MS = 20_000;

/**
 * How a replay feels its way: one delivery first, then ten times as many with each step, once one of
 * the step before is confirmed, or refused without making the integration busy or failed. A run
 * looks for a second. Without an answer, another run goes on when the attempts are over.
 */
export const buildSteps = (
  { deliveryLog, now, pause }: StepPorts,
  { integration, given }: { integration: string; given: Step | undefined },
) => {
  let step: Step = given ?? { size: 1 / GROWTH, first: [] };
  let isOver = true;
  let left = 0;
  let looks = 0;
  /** Resolves to whether the endpoint has answered. Without the log, the replay goes on. */
  const look = async (): Promise<boolean> => {
    const read = await deliveryLog
      .read(step.first.map(({ event }) => ({ integration, event })))
      .catch(() => undefined);
    if (read === undefined) return true;
    const answered = read.filter((each, index): each is LogReading => {
      const number = each instanceof Error ? undefined : each.latestAttempt?.number;
      return number !== undefined && number > (step.first[index]?.priorAttempts ?? 0);
    });
    if (answered.some(({ logged }) => logged === 'delivered')) return true;
    const isAnswered = answered.length > 0;
    await pause(isAnswered ? IN_A_ROW_MS : LOOK_EVERY_MS);
    return isAnswered;
  };
  return {
    /** How many deliveries may be enqueued; none before it is known how the step went. */
    allowed: async (): Promise<number> => {
      if (left > 0) return left;
      if (!isOver) {
        looks += 1;
        isOver = await look();
        return 0;
      }
      step = { size: step.size * GROWTH, first: [] };
      [left, looks, isOver] = [step.size, 0, false];
      return left;
    },
    enqueued: (deliveries: readonly Delivery[]): void => {
      left -= deliveries.length;
      const first = [...step.first, ...deliveries].slice(0, GROWTH);
      step = {
        ...step,
        first: first.map(({ event, priorAttempts }) => ({ event, priorAttempts })),
      };
    },
    hasPatience: (): boolean => looks < MOST_LOOKS,
    /** What the next run must know, if it is not known how the step went. */
    next: (): { step?: Step; notBefore?: Date } =>
      left === 0 && step.first.length > 0
        ? { step, notBefore: new Date(now().getTime() + ANSWERED_AFTER_MS) }
        : {},
  };
};
