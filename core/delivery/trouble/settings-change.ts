import type { SettingsChange } from '../../integration/change-integration.ts';
import type { Integration, IntegrationEpoch } from '../../integration/integration.ts';
import type { ReplayRequests } from '../pending/replay-requests.ts';
import type { RetrySchedules } from './begin-trouble.ts';

/**
 * A change of settings ends the trouble, and replays all pending events if the integration is
 * active. After a deletion, the replay removes the pending events.
 *
 * A schedule is made before the change: if the process dies after it, the schedule requests the
 * replay within an hour. It has an epoch that the change leaves out: no trouble relies on it.
 *
 * The schedule of a deletion stays, requests the removal once more and removes itself. By then no
 * process is active that read the integration before.
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

/** Whether events may be pending that only this change replays. */
const owesReplay = (stored: Integration, changed: Integration): boolean =>
  changed.active && (!stored.active || stored.trouble !== undefined);

/** The epoch that no trouble can be in: a change raises the epoch by two. */
const epochLeftOut = ({ account, id, epoch }: Integration): IntegrationEpoch => ({
  account,
  id,
  epoch: epoch + 1,
});
