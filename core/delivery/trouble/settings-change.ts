import type { SettingsChange } from '../../integration/change-integration.ts';
import type { Integration, IntegrationEpoch } from '../../integration/integration.ts';
import type { ReplayRequests } from '../pending/replay-requests.ts';
import type { RetrySchedules } from './retry-schedules.ts';

/**
 * A change of settings ends the trouble. If the integration is active after the change, everything
 * that is pending is replayed. After a deletion a replay is asked for, too: it finds the
 * integration deleted and removes the pending events and the delivery log.
 *
 * If a replay has to follow the change, a schedule is made before the change. A process that dies
 * after the change leaves that schedule, which asks for the replay within an hour. The schedule of
 * the trouble that the change ends does the same. The schedule made before the change belongs to an
 * epoch that the change leaves out, so nothing else relies on the schedule when it is removed.
 *
 * The schedule made before a deletion stays: when it fires, it asks for the removal once more and
 * then removes itself. By then no process is at work that read the integration before the deletion.
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

/** Whether events may be pending for which nothing but this change asks for a replay. */
const owesReplay = (stored: Integration, changed: Integration): boolean =>
  changed.active && (!stored.active || stored.trouble !== undefined);

/** The epoch that no trouble can be in: a change raises the epoch by two. */
const epochLeftOut = ({ account, id, epoch }: Integration): IntegrationEpoch => ({
  account,
  id,
  epoch: epoch + 1,
});
