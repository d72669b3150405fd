import type { DeliveryStates, Moment } from '../integrations/integration.ts';
import type { ReplayRequests } from './replay-requests.ts';
import type { RetrySchedules } from './retry-schedules.ts';

export type EndTrouble = (moment: Moment) => Promise<boolean>;

/**
 * Ends an integration's trouble and has its pending events replayed. Resolves to whether it was in
 * trouble of this incident.
 *
 * The schedule goes last: a process that dies after the state is cleared leaves it, and at its
 * next run it asks for the replay and removes itself.
 */
export const createEndTrouble =
  (ports: {
    states: DeliveryStates;
    replays: ReplayRequests;
    schedules: RetrySchedules;
  }): EndTrouble =>
  async (moment) => {
    if (!(await ports.states.leaveTrouble(moment))) return false;
    await ports.replays.request(moment);
    await ports.schedules.remove(moment);
    return true;
  };
