import type {
  ChangeBus,
  ChangeFilter,
  ChangeLog,
  ChangePage,
  ChangeView,
  NoticeRequests,
} from '../../../core/changes/change-log.ts';
import { positionIn, positionOf } from '../../../core/changes/change-position.ts';
import type { Change } from '../../../core/changes/change-resource.ts';
import type { NoticeRequest } from '../../../core/changes/notice-request.ts';
import { cursorAt } from '../../../core/json-ld/cursor.ts';

export class InMemoryChangeLog implements ChangeLog, ChangeView {
  readonly #changes = new Map<string, Change>();

  get all(): readonly Change[] {
    return [...this.#changes.values()];
  }

  async add(changes: readonly Change[]): Promise<void> {
    for (const change of changes) {
      const key = `${change.account} ${positionOf(change)}`;
      if (!this.#changes.has(key)) this.#changes.set(key, change);
    }
  }

  async removeAllOf(account: string): Promise<void> {
    for (const [key, change] of this.#changes) {
      if (change.account === account) this.#changes.delete(key);
    }
  }

  async pageOf(
    account: string,
    { limit, after, ...filter }: ChangeFilter & { limit: number; after?: string | undefined },
  ): Promise<ChangePage> {
    const start = after === undefined ? undefined : positionIn(after);
    const found = this.all
      .filter((change) => change.account === account && matches(change, filter))
      .filter((change) => start === undefined || positionOf(change) < start)
      .toSorted((one, other) => (positionOf(one) < positionOf(other) ? 1 : -1));
    const changes = found.slice(0, limit);
    const last = changes.at(-1);
    return {
      changes,
      ...(found.length > limit && last && { next: cursorAt(positionOf(last)) }),
    };
  }
}

const matches = (change: Change, { integration, kind, since, until }: ChangeFilter): boolean =>
  (integration === undefined || change.integration === integration) &&
  (kind === undefined || change.kind === kind) &&
  (since === undefined || change.at >= since.toISOString()) &&
  (until === undefined || change.at < until.toISOString());

/** Keeps what was published, repetitions too. */
export class RecordingBus implements ChangeBus {
  readonly told: Change[] = [];

  async publish(changes: readonly Change[]): Promise<void> {
    this.told.push(...changes);
  }
}

/** Keeps what was asked for, repetitions too. */
export class RecordingNotices implements NoticeRequests {
  readonly told: NoticeRequest[] = [];

  async request(notices: readonly NoticeRequest[]): Promise<void> {
    this.told.push(...notices);
  }
}
