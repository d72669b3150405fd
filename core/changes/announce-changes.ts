import type { PendingView } from '../delivery/pending/pending-view.ts';
import type { Change } from './change.ts';
import type { ChangeBus, ChangeLog, NoticeRequests } from './change-log.ts';
import { changesBetween, type IntegrationWrite } from './changes-between.ts';
import { noticesFor } from './notice-request.ts';

/** A count reads at most about 1 MB. */
const PENDING_COUNTED_UP_TO = 1_000;

interface Ports {
  readonly pending: Pick<PendingView, 'count'>;
  readonly log: ChangeLog;
  readonly bus: ChangeBus;
  /** Absent where the stage sends no e-mail. */
  readonly notices?: NoticeRequests;
}

/**
 * Tells of the changes that writes of integrations make, to the log first. Resolves to the changes.
 * Throws when a step fails; repeated, it tells the same changes again, with the same ids.
 */
export type AnnounceChanges = (writes: readonly IntegrationWrite[]) => Promise<readonly Change[]>;

export const buildAnnounceChanges =
  (ports: Ports): AnnounceChanges =>
  async (writes) => {
    const told = await Promise.all(
      writes.map(async (write) => {
        const changes = await Promise.all(
          changesBetween(write).map((change) => withPending(change, ports)),
        );
        return { changes, notices: ports.notices ? noticesFor(write, changes) : [] };
      }),
    );
    const changes = told.flatMap((one) => one.changes);
    const notices = told.flatMap((one) => one.notices);
    if (changes.length > 0) await ports.log.add(changes);
    // A bus that is down does not hold up e-mails.
    const steps = await Promise.allSettled([
      changes.length > 0 && ports.bus.publish(changes),
      notices.length > 0 && ports.notices?.request(notices),
    ]);
    const failed = steps.find((step) => step.status === 'rejected');
    if (failed) throw failed.reason;
    return changes;
  };

/** A change of settings replays at once; the other ends of a trouble leave time to count. */
const withPending = async (change: Change, { pending }: Ports): Promise<Change> => {
  const { kind, endedBy, integration } = change;
  if (kind !== 'recovered' || endedBy === 'settings') return change;
  const { count, isExact } = await pending.count(
    { integration, state: 'pending' },
    PENDING_COUNTED_UP_TO,
  );
  return { ...change, pending: count, ...(!isExact && { pendingIsMinimum: true }) };
};
