import type { ReplayRequests } from '../delivery/replay-requests.ts';
import type { RetrySchedules } from '../delivery/retry-schedules.ts';
import { Refusal } from '../refusal.ts';
import {
  type ChangingIntegrations,
  canDeliver,
  type Integration,
  type IntegrationStore,
  type Moment,
} from './integration.ts';

type Settings = Pick<Integration, 'active' | 'config' | 'settings'>;

/** The settings an integration is to have, from the ones it has. May throw a refusal. */
type NewSettings = (stored: Integration) => Settings | Promise<Settings>;

export type ChangeIntegration = (
  integration: { account: string; id: string },
  newSettings: NewSettings,
) => Promise<Integration>;

/** Every try loses to another change only. */
const MAX_TRIES = 5;

/**
 * Changes an integration's settings, which ends its trouble and, when it is active, has what is
 * pending replayed. Throws `not-found`.
 *
 * Where a replay will be owed, a schedule comes before the change: a process that dies after the
 * change leaves it, and it asks for the replay within an hour. A schedule of the old incident that
 * is left over does the same. It is of an incident that the change leaves out: nobody comes to rely
 * on it who would be left without when it is removed.
 */
export const createChangeIntegration = (ports: {
  integrations: IntegrationStore & ChangingIntegrations;
  schedules: RetrySchedules;
  replays: ReplayRequests;
  now: () => Date;
}): ChangeIntegration => {
  const settle = async (stored: Integration, changed: Integration): Promise<void> => {
    if (owesReplay(stored, changed)) {
      await ports.replays.request(changed);
      await ports.schedules.remove(leftOutAfter(stored));
    }
    if (stored.delivery.kind !== 'healthy') await ports.schedules.remove(stored);
  };

  return async ({ account, id }, newSettings) => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const stored = await ports.integrations.find(account, id);
      if (stored === undefined) throw new Refusal('not-found', 'There is no such integration.');
      const changed = changedTo(stored, await newSettings(stored), ports.now());
      if (owesReplay(stored, changed)) await ports.schedules.ensure(leftOutAfter(stored));
      if (!(await ports.integrations.replace(changed, stored))) continue;
      await settle(stored, changed);
      return changed;
    }
    throw new Error(`Integration ${id} changes too often to be changed.`);
  };
};

/** Whether something may be pending that nobody but this change has replayed. */
const owesReplay = (stored: Integration, changed: Integration): boolean =>
  changed.active && !canDeliver(stored);

const leftOutAfter = ({ account, id, incident }: Moment): Moment => ({
  account,
  id,
  incident: incident + 1,
});

const changedTo = (stored: Integration, settings: Settings, now: Date): Integration => ({
  ...stored,
  ...settings,
  revision: stored.revision + 1,
  incident: stored.incident + 2,
  transients: 0,
  updatedAt: now.toISOString(),
  delivery: { kind: 'healthy' },
});
