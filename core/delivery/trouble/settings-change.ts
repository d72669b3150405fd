import type { SettingsChange } from '../../integration/change-integration.ts';
import type { Integration, IntegrationEpoch } from '../../integration/integration.ts';
import type { ReplayRequests } from '../pending/replay-requests.ts';
import type { RetrySchedules } from './begin-trouble.ts';

/**
 * A change of settings ends the trouble, and replays all pending events if the integration is
 * active. After a deletion a replay is requested too: it removes the pending events and the
 * delivery log.
 *
 * If a replay has to follow, a schedule is made before the change. If the process dies after the
 * change, that schedule requests the replay within an hour. It belongs to an epoch that the change
 * leaves out, so no trouble relies on it when it is removed.
 *
 * The schedule made before a deletion stays: when it fires, it requests the removal once more and
 * removes itself. By then no process is active that read the integration before the deletion.
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
