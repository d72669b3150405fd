import type { Change, ChangeKind } from './change-resource.ts';
import type { NoticeRequest } from './notice-request.ts';

/** Which changes of an account. Instants are compared with `at`; `integration` is a path. */
export interface ChangeFilter {
  readonly integration?: string | undefined;
  readonly kind?: ChangeKind | undefined;
  /** Inclusive. */
  readonly since?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
}

export interface ChangePage {
  /** The newest first. */
  readonly changes: readonly Change[];
  /** Absent on the last page. A page may be short, even empty, and have a next. */
  readonly next?: string;
}

/** The changes of each account, which its path names, for 400 days. */
export interface ChangeLog {
  /** Durable when it resolves; a change that is there already stays as it is. */
  add(changes: readonly Change[]): Promise<void>;
  /** Removes all changes of an account. */
  removeAllOf(account: string): Promise<void>;
}

export interface ChangeView {
  pageOf(
    account: string,
    options: ChangeFilter & { limit: number; after?: string | undefined },
  ): Promise<ChangePage>;
}

/** Tells the platform. */
export interface ChangeBus {
  /** Accepted when it resolves. A repetition publishes again, with the same ids. */
  publish(changes: readonly Change[]): Promise<void>;
}

/** Asks for e-mails. */
export interface NoticeRequests {
  /** Durable when it resolves. A repetition may ask again. */
  request(notices: readonly NoticeRequest[]): Promise<void>;
}
