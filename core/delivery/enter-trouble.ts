import type {
  DeliveryStates,
  LatestAttempt,
  Moment,
  Trouble,
} from '../integrations/integration.ts';
import type { Attempt } from './attempt.ts';
import { REASONS } from './outcome.ts';
import type { RetrySchedules } from './retry-schedules.ts';

export type EnterTrouble = (
  moment: Moment,
  kind: Trouble['kind'],
  because: Attempt,
) => Promise<boolean>;

/**
 * Makes an integration busy or failed because of an attempt. Resolves to whether it is in trouble
 * of this incident; not when its settings were changed or it recovered since the attempt began.
 *
 * The schedule comes first: a process that dies before the state is set leaves a schedule with
 * nothing to do, which removes itself. The opposite cannot happen.
 */
export const createEnterTrouble =
  (ports: {
    states: DeliveryStates;
    schedules: RetrySchedules;
    now: () => Date;
    retryIntervalMs: number;
  }): EnterTrouble =>
  async (moment, kind, because) => {
    await ports.schedules.ensure(moment);
    const now = ports.now();
    return ports.states.enterTrouble(moment, {
      kind,
      since: now.toISOString(),
      ...latestAttempt(because),
      nextAttemptAt: new Date(now.getTime() + ports.retryIntervalMs).toISOString(),
    });
  };

export const latestAttempt = ({ outcome: { result }, startedAt }: Attempt): LatestAttempt => ({
  ...(result.kind === 'answered'
    ? { statusCode: result.statusCode }
    : { reason: REASONS[result.reason] }),
  lastAttemptAt: startedAt.toISOString(),
});
