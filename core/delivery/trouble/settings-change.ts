import type { SettingsChange } from '../../integration/change-integration.ts';
import {
  canDeliver,
  type Integration,
  type IntegrationEpoch,
} from '../../integration/integration.ts';
import type { ReplayRequests } from '../pending/replay-requests.ts';
import type { RetrySchedules } from './retry-schedules.ts';

/**
 * A change of settings ends the trouble and, when the integration is active after it, has the
 * pending events replayed. A deletion has the pending events and the delivery log cleared away by
 * the replay that then finds the integration gone.
 *
 * Where a replay will be owed, a schedule comes before the change: a process that dies after the
 * change leaves the schedule, which asks for the replay within an hour. A schedule that is left of
 * the old epoch does the same. The schedule belongs to an epoch that the change leaves out, so
 * nobody relies on it when it is removed.
 *
 * The schedule of a deletion stays: when it fires it asks for the clearing once more and removes
 * itself. By then nobody is at work who had read the integration before the deletion.
 */
export const buildSettingsChange = (ports: {
  schedules: RetrySchedules;
  replays: ReplayRequests;
}): SettingsChange => ({
  beforeChange: async (stored, changed) => {
    if (owesReplay(stored, changed)) await ports.schedules.ensure(epochLeftOut(stored));
  },
  afterChange: async (stored, changed) => {
    if (owesReplay(stored, changed)) {
      await ports.replays.request(changed);
      await ports.schedules.remove(epochLeftOut(stored));
    }
    if (stored.trouble) await ports.schedules.remove(stored);
  },
  beforeDeletion: (stored) => ports.schedules.ensure(epochLeftOut(stored)),
  afterDeletion: async (stored) => {
    await ports.replays.request(stored);
    await ports.schedules.remove(stored);
  },
});

/** Whether events may be pending that only this change has replayed. */
const owesReplay = (stored: Integration, changed: Integration): boolean =>
  changed.active && !canDeliver(stored);

/** A change raises the epoch by two. */
const epochLeftOut = ({ account, id, epoch }: Integration): IntegrationEpoch => ({
  account,
  id,
  epoch: epoch + 1,
});
