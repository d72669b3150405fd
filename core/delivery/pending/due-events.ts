import { positionOf } from '../delivery.ts';
import type { PendingEvent, PendingEvents } from './pending-events.ts';
import type { ReplayRequest, Rest } from './replay-requests.ts';

export interface DueEventsPorts {
  pendingEvents: Pick<PendingEvents, 'newest' | 'pages' | 'removeAllAsRead'>;
}

/** 26 MB with bodies of 256 KiB. One page is removed, one enqueued and one read at a time. */
const PAGE = 100;

/**
 * The pending events of one pass, oldest first: those that are pending when it begins, without those
 * that are not due, if the request leaves these out. Reads a page ahead.
 */
export class DueEvents {
  readonly #ports: DueEventsPorts;
  readonly #isDue: (pending: PendingEvent) => boolean;
  readonly #pages: AsyncIterator<readonly PendingEvent[]>;
  #rest: Rest | undefined;
  #page: readonly PendingEvent[] = [];
  #nextPage: Promise<IteratorResult<readonly PendingEvent[]>>;
  #removal: Promise<void> = Promise.resolve();

  /** `rest`: absent if nothing is pending. */
  constructor(
    ports: DueEventsPorts,
    { id, onlyDue = false }: Pick<ReplayRequest, 'id' | 'onlyDue'>,
    { rest, now }: { rest: Rest | undefined; now: Date },
  ) {
    this.#ports = ports;
    this.#isDue = ({ dueAt }) =>
      !onlyDue || dueAt === undefined || Date.parse(dueAt) <= now.getTime();
    this.#pages = rest ? ports.pendingEvents.pages(id, { limit: PAGE, ...rest }) : none();
    this.#rest = rest;
    this.#nextPage = withoutCrash(this.#pages.next());
  }

  /** What is left for the next run. */
  get rest(): Rest | undefined {
    return this.#rest;
  }

  /** The next events; empty if no event of a page is due, undefined at the end. */
  async page(): Promise<readonly PendingEvent[] | undefined> {
    if (this.#page.length > 0) return this.#page;
    const { value } = await this.#nextPage;
    this.#nextPage = withoutCrash(this.#pages.next());
    if (value === undefined) return undefined;
    this.#page = value.filter(this.#isDue);
    if (this.#page.length === 0) this.#moveTo(value);
    return this.#page;
  }

  /** Removes the first events of the page, which are durable elsewhere. */
  async taken(events: readonly PendingEvent[]): Promise<void> {
    this.#page = this.#page.slice(events.length);
    this.#moveTo(events);
    await this.#removal;
    this.#removal = withoutCrash(this.#ports.pendingEvents.removeAllAsRead(events));
  }

  /** All that was taken is removed when it resolves. */
  removed(): Promise<void> {
    return this.#removal;
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#nextPage]);
    await this.#pages.return?.();
    await this.#removal;
  }

  #moveTo(passed: readonly PendingEvent[]): void {
    const last = passed.at(-1);
    if (this.#rest && last) this.#rest = { ...this.#rest, after: positionOf(last.delivery) };
  }
}

/** The position of the last event of a pass that begins now. */
export const wholeOf = async (
  id: string,
  { pendingEvents }: DueEventsPorts,
): Promise<Rest | undefined> => {
  const [newest] = await pendingEvents.newest(id, 1);
  return newest && { last: positionOf(newest.delivery) };
};

async function* none(): AsyncGenerator<never, undefined> {}

/** A promise that rejects before it is awaited does not end the process. */
const withoutCrash = <Result>(promise: Promise<Result>): Promise<Result> => {
  promise.catch(() => {});
  return promise;
};
