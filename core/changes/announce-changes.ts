import { CANARY_ACCOUNT } from '../delivery/canary.ts';
import type { Accounts } from '../directory/account.ts';
import { accountPath } from '../directory/account-resource.ts';
import type { ChangeBus, ChangeLog, NoticeRequests } from './change-log.ts';
import type { Change } from './change-resource.ts';
import { changesBetween, type IntegrationWrite } from './changes-between.ts';
import { noticesFor } from './notice-request.ts';

/** Who knows the address of the canary can post to it: it stands in no log and on no bus. */
const isOfCustomer = ({ before, after }: IntegrationWrite): boolean =>
  (after ?? before)?.account !== CANARY_ACCOUNT;

interface Ports {
  readonly accounts: Pick<Accounts, 'find'>;
  readonly changeLog: Pick<ChangeLog, 'add'>;
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
    const ofCustomers = writes.filter(isOfCustomer);
    const changes = withSetAsideTogether(ofCustomers.flatMap(changesBetween));
    const notices = ports.notices ? ofCustomers.flatMap(noticesFor) : [];
    // One request of an integration covers all.
    const latest = new Map(notices.map((notice) => [notice.integration, notice]));
    const logged = await ofAccounts(changes, ports.accounts);
    if (logged.length > 0) await ports.changeLog.add(logged);
    // A bus that is down does not hold up e-mails.
    const steps = await Promise.allSettled([
      changes.length > 0 && ports.bus.publish(changes),
      latest.size > 0 && ports.notices?.request([...latest.values()]),
    ]);
    const failed = steps.find((step) => step.status === 'rejected');
    if (failed) throw failed.reason;
    return changes;
  };

/** Without the late changes of removed accounts. */
const ofAccounts = async (
  changes: readonly Change[],
  accounts: Ports['accounts'],
): Promise<readonly Change[]> => {
  const paths = [...new Set(changes.map(({ account }) => account))];
  const found = await Promise.all(
    paths.map((path) => accounts.find(path.slice(accountPath('').length))),
  );
  const existing = new Set(found.map((account) => account && accountPath(account.name)));
  return changes.filter(({ account }) => existing.has(account));
};

/** A replay may set thousands of events aside: one change tells of all of an integration. */
const withSetAsideTogether = (changes: readonly Change[]): readonly Change[] => {
  const together = new Map<string, Change>();
  for (const change of changes) {
    const key = change.kind === 'event-set-aside' ? change.integration : change.id;
    const { count = 0 } = together.get(key) ?? {};
    together.delete(key);
    together.set(key, change.count ? { ...change, count: count + change.count } : change);
  }
  return [...together.values()];
};
