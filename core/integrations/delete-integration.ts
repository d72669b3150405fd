import type { ReplayRequests } from '../delivery/replay-requests.ts';
import type { RetrySchedules } from '../delivery/retry-schedules.ts';
import { Refusal } from '../refusal.ts';
import type { ChangingIntegrations, IntegrationStore, Precondition } from './integration.ts';

export type DeleteIntegration = (request: {
  account: string;
  id: string;
  precondition: Precondition;
}) => Promise<void>;

const MAX_TRIES = 5;

/**
 * Deletes an integration; its pending events and delivery log are cleared away by the replay that
 * then finds it gone. Throws `not-found`, and what the precondition throws.
 *
 * A schedule comes before the deletion and stays: when it fires it asks for the same once more and
 * removes itself. By then nobody is at work any more who had read the integration before, and what
 * they left goes too, as does everything when this process dies after the deletion.
 */
export const createDeleteIntegration =
  (ports: {
    integrations: IntegrationStore & ChangingIntegrations;
    schedules: RetrySchedules;
    replays: ReplayRequests;
  }): DeleteIntegration =>
  async ({ account, id, precondition }) => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const stored = await ports.integrations.find(account, id);
      if (stored === undefined) throw new Refusal('not-found', 'There is no such integration.');
      precondition(stored);
      await ports.schedules.ensure({ account, id, incident: stored.incident + 1 });
      if (!(await ports.integrations.remove(stored))) continue;
      await ports.replays.request({ account, id });
      await ports.schedules.remove(stored);
      return;
    }
    throw new Error(`Integration ${id} changes too often to be deleted.`);
  };
