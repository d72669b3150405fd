import { accountIntegrations, buildAccountRemoval } from '../../../admin/account-removal.ts';
import type { SignInIdentity } from '../../../core/directory/sign-in.ts';
import { late } from '../called-ports.ts';
import { InMemoryChangeLog } from '../changes/in-memory-changes.ts';
import { InMemoryPendingEvents } from '../delivery/pending/in-memory-pending-events.ts';
import { InMemoryPendingView } from '../delivery/pending/in-memory-pending-view.ts';
import { InMemoryReplayRequests } from '../delivery/pending/in-memory-replay-requests.ts';
import { InMemorySetAsideEvents } from '../delivery/pending/in-memory-set-aside-events.ts';
import { InMemoryRetrySchedules } from '../delivery/trouble/in-memory-retry-schedules.ts';
import { InMemoryIdempotencyRecords } from '../integration/in-memory-idempotency-records.ts';
import { InMemoryIntegrations } from '../integration/in-memory-integrations.ts';
import { inMemoryDirectory } from './in-memory-directory.ts';

const NOON = new Date('2026-11-20T12:00:00.000Z');

/** The people of a user pool. */
class InMemoryUserPool {
  readonly people = new Set<string>();

  async remove({ subject }: SignInIdentity): Promise<void> {
    this.people.delete(subject);
  }
}

/** The stores that accounts have data in. */
export const inMemoryStores = (directory = inMemoryDirectory()) => {
  const pendingEvents = new InMemoryPendingEvents();
  const idempotency = new InMemoryIdempotencyRecords();
  const integrations = new InMemoryIntegrations();
  integrations.records = idempotency;
  integrations.accounts = directory.accounts;
  return {
    directory,
    pool: new InMemoryUserPool(),
    integrations,
    idempotency,
    changes: new InMemoryChangeLog(),
    pendingEvents,
    pending: new InMemoryPendingView(pendingEvents, new InMemorySetAsideEvents()),
    schedules: new InMemoryRetrySchedules(),
    replays: new InMemoryReplayRequests(),
  };
};

export type Stores = ReturnType<typeof inMemoryStores>;

/** The removal of accounts over these stores; `sleep` is what happens while it waits. */
export const accountRemovalOver = (
  stores: Stores,
  {
    through = late,
    sleep = async () => {},
  }: { through?: typeof late; sleep?: () => Promise<void> } = {},
) => {
  const { directory, ...others } = stores;
  return buildAccountRemoval({
    accounts: through(directory.accounts),
    tree: through(directory.tree),
    users: through(directory.users),
    userList: through(directory.userList),
    signatures: through(directory.signatures),
    identities: through(directory.identities),
    tokens: through(directory.tokens),
    changes: through(others.changes),
    pool: through(others.pool),
    idempotency: through(others.idempotency),
    integrations: accountIntegrations({
      integrations: through(others.integrations),
      pending: through(others.pending),
      schedules: through(others.schedules),
      replays: through(others.replays),
      now: () => NOON,
      sleep,
    }),
    now: () => NOON,
    sleep,
  });
};
