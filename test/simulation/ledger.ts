import { createHmac } from 'node:crypto';
import { classify, type PostResult } from '../../core/delivery/attempt.ts';
import { type Delivery, deliveryId } from '../../core/delivery/delivery.ts';
import type { WebhookRequest } from '../../core/delivery/sending/make-attempt.ts';
import type { PlatformEvent } from '../../core/event/event.ts';
import { type Integration, isStopped } from '../../core/integration/integration.ts';
import { unsealed } from '../support/integration/in-memory-secrets.ts';
import type { Journal } from './journal.ts';
import type { Received } from './queues.ts';

/** The function that makes a POST, and the integration as the function has read it. */
export interface Poster {
  /**
   * The message and the process of an hourly retry, whether it is its first attempt, and whether the
   * message was received before.
   */
  readonly hourlyRetry:
    | {
        readonly message: string;
        readonly process: string;
        readonly isFirst: boolean;
        readonly isAgain: boolean;
      }
    | undefined;
  readonly reading: Integration | undefined;
}

type HourlyPost = NonNullable<Poster['hourlyRetry']> & { readonly atMs: number };

/** A delivery that must be made. */
interface Owed extends Pick<Delivery, 'account' | 'integration'> {
  readonly occurredAtMs: number;
}

interface Resend {
  readonly id: string;
  readonly postsBefore: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Keeps which deliveries must be made and which were made, and checks the rules for every POST. */
export class Ledger {
  /** The deliveries that must be made, by delivery id. */
  readonly owed = new Map<string, Owed>();
  /** Ids of the deliveries that an endpoint confirmed. */
  readonly delivered = new Set<string>();
  /** Ids of the deliveries that a worker rightly dropped: see `dropped`. */
  readonly excused = new Set<string>();
  readonly #journal: Journal;
  readonly #retryIntervalMs: number;
  readonly #windowMs: number;
  readonly #bodies = new Map<string, string>();
  readonly #posts = new Map<string, number>();
  readonly #resends: Resend[] = [];
  readonly #hourlyPosts = new Map<string, { message: string; atMs: number }>();
  readonly #postsOfRetries = new Map<string, number>();
  /** When attempts were not confirmed, oldest first. */
  readonly #failures = new Map<string, number[]>();
  /** When a delivery was first confirmed, in milliseconds since 1970. */
  readonly firstConfirmedAt = new Map<string, number>();
  /** When a delivery was last confirmed. */
  readonly #confirmedAt = new Map<string, number>();

  constructor(
    journal: Journal,
    { retryIntervalMs, windowMs }: { retryIntervalMs: number; windowMs: number },
  ) {
    this.#journal = journal;
    this.#retryIntervalMs = retryIntervalMs;
    this.#windowMs = windowMs;
  }

  /** An event was routed; `listed` has the integrations as `route-event` read them. */
  routed(event: PlatformEvent, listed: readonly Integration[]): void {
    const occurredAtMs = Date.parse(event.occurredAt);
    for (const { id, account, active, inactiveSince, settings } of listed) {
      const isTaken =
        active || settings.whileInactive === 'keep' || event.occurredAt < (inactiveSince ?? '');
      if (!isTaken || !settings.actions[event.type]) continue;
      this.owed.set(deliveryId(id, event.id), { account, integration: id, occurredAtMs });
    }
  }

  /**
   * A worker dropped a delivery. A worker may drop a delivery that was confirmed, and a delivery
   * whose integration the worker read as deleted.
   */
  dropped(
    { content }: Pick<Received<Delivery>, 'content'>,
    because: 'deleted' | 'delivered-before',
    { reading }: Pick<Poster, 'reading'>,
  ): void {
    const { integration, event } = content;
    if (because === 'delivered-before') {
      if (this.delivered.has(deliveryId(integration, event.id))) return;
      this.#journal.violated('A delivery is dropped as delivered before, but was never confirmed.');
    }
    if (because === 'deleted' && reading !== undefined) {
      this.#journal.violated('A delivery is dropped that must be kept.');
    }
    this.excused.add(deliveryId(integration, event.id));
  }

  /** The deliveries that must still be made, with their ids. */
  get outstanding(): [string, Owed][] {
    return [...this.owed].filter(([id]) => this.isOutstanding(id));
  }

  isOutstanding(id: string): boolean {
    return this.owed.has(id) && !this.delivered.has(id) && !this.excused.has(id);
  }

  /**
   * A call that resends a delivery promises a POST after now. Pass this to `resent` if it succeeds.
   */
  promiseOf(id: string): Resend {
    return { id, postsBefore: this.#posts.get(id) ?? 0 };
  }

  resent(promise: Resend): void {
    this.#resends.push(promise);
  }

  /** Ids of the deliveries that were to be sent again, and were not. */
  get notResent(): string[] {
    return this.#resends
      .filter(({ id, postsBefore }) => (this.#posts.get(id) ?? 0) <= postsBefore)
      .map(({ id }) => id);
  }

  posted(request: WebhookRequest, poster: Poster, { atMs }: { atMs: number }): void {
    const { hourlyRetry, reading } = poster;
    const id = request.headers['webhook-id'] ?? '';
    this.#posts.set(id, (this.#posts.get(id) ?? 0) + 1);
    if (reading === undefined) {
      this.#journal.violated('A deleted integration gets a POST.');
      return;
    }
    if (!reading.active) this.#journal.violated('An inactive integration gets a POST.');
    if (hourlyRetry !== undefined) this.#judgeHourly(reading, { ...hourlyRetry, atMs });
    else if (reading.trouble?.kind === 'failed') {
      this.#journal.violated('A failed integration gets a POST other than the hourly one.');
    }
    if (request.url !== reading.config.baseUrl) this.#journal.violated('The address is wrong.');
    this.#judgeSignatures(request, unsealed(reading).config.webhookSecret);
    this.#judgeBody(request);
  }

  answered(id: string, result: PostResult, { atMs }: { atMs: number }): void {
    const outcome = classify(result);
    if (outcome.class === 'delivered') {
      this.delivered.add(id);
      this.#confirmedAt.set(id, atMs);
      if (!this.firstConfirmedAt.has(id)) this.firstConfirmedAt.set(id, atMs);
      return;
    }
    this.#failures.set(id, [...(this.#failures.get(id) ?? []), atMs]);
  }

  firstFailureMs(id: string): number {
    return this.#failures.get(id)?.[0] ?? Number.NEGATIVE_INFINITY;
  }

  latestFailureMs(id: string): number {
    return this.#failures.get(id)?.at(-1) ?? Number.NEGATIVE_INFINITY;
  }

  /**
   * A delivery was set aside. Rightly so if all its attempts of a window failed, and others were
   * confirmed since it occurred, or in the window before it was set aside.
   */
  setAside({ integration, event }: Delivery, { atMs }: { atMs: number }): void {
    const id = deliveryId(integration, event.id);
    const failures = this.#failures.get(id) ?? [];
    const isConfirmedSince = (sinceMs: number) =>
      [...this.#confirmedAt].some(
        ([other, confirmedMs]) =>
          other.startsWith(deliveryId(integration, '')) && confirmedMs >= sinceMs - MINUTE_MS,
      );
    const [firstMs = atMs] = failures;
    const isWindowOver =
      // It begins with the first attempt, also if nothing could be sent, or with a receive before it.
      firstMs <= atMs - this.#windowMs + 30 * MINUTE_MS &&
      isConfirmedSince(Math.min(Date.parse(event.occurredAt), atMs - this.#windowMs));
    if (!isWindowOver) {
      this.#journal.violated('A delivery is set aside that is not at fault.');
    }
    this.#journal.saw('delivery set aside');
  }

  /** A retry makes up to three POSTs, and again as many if its message is received again. */
  #judgeHourly(reading: Integration, post: HourlyPost): void {
    const { message, process, isFirst, isAgain, atMs } = post;
    // A waiting integration gets one half a minute after the replay of what was due.
    const isWaiting = reading.trouble?.kind === 'waiting' && isAgain;
    // A later attempt may have begun before one that was silent ended the trouble.
    if (!isStopped(reading) && isFirst && !isWaiting) {
      this.#journal.violated('An integration that takes deliveries gets an hourly POST.');
    }
    const epoch = `${reading.id}-${reading.epoch}`;
    const before = this.#hourlyPosts.get(epoch);
    const earliestMs = (before?.atMs ?? 0) + this.#retryIntervalMs / 2;
    // A retry may be claimed up to a minute before the retry's POST.
    if (!isAgain && before?.message !== message && atMs < earliestMs - MINUTE_MS) {
      this.#journal.violated('Two hourly retries in one interval.');
    }
    const posts = this.postsOfRetry(process) + 1;
    if (posts > 3) this.#journal.violated('An hourly retry makes more than three POSTs.');
    this.#postsOfRetries.set(process, posts);
    // A message that is received again makes its attempts later in the same hour.
    if (!isAgain) this.#hourlyPosts.set(epoch, { message, atMs });
  }

  /** How many POSTs the process of an hourly retry has made. */
  postsOfRetry(process: string): number {
    return this.#postsOfRetries.get(process) ?? 0;
  }

  #judgeSignatures({ headers, body }: WebhookRequest, secret: string): void {
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const isRight =
      headers['X-Service-Signature'] === createHmac('sha256', secret).update(body).digest('hex') &&
      headers['webhook-signature'] ===
        `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`;
    if (!isRight) this.#journal.violated('A signature is wrong.');
  }

  #judgeBody({ headers, body }: WebhookRequest): void {
    const id = headers['webhook-id'] ?? '';
    if ((this.#bodies.get(id) ?? body) !== body) {
      this.#journal.violated('The body of a delivery has changed.');
    }
    this.#bodies.set(id, body);
    if (!body.includes(`"id":${JSON.stringify(id)}`)) {
      this.#journal.violated('The body of a delivery has another id.');
    }
  }
}

/**
 * How many POSTs of a delivery an hour can have with one message: six of a backoff of five minutes
 * that begins with 15 seconds, six more after the replay, one of the hourly replay, and two of
 * hourly retries, whose hours are not these.
 */
const MOST_AN_HOUR = 15;

/**
 * Checks, while nothing goes wrong but endpoints, that no event is attempted more often than it
 * may.
 */
export class HourlyPosts {
  readonly #journal: Journal;
  readonly #postsMs = new Map<string, number[]>();
  #repeats = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /**
   * The platform sent an event again, or a caller changed something: an event that waits or backs
   * off may have one message more.
   */
  mayRepeat(): void {
    this.#repeats += 1;
  }

  posted(id: string, atMs: number): void {
    const isRecent = (otherMs: number) => otherMs > atMs - HOUR_MS;
    const posts = [...(this.#postsMs.get(id) ?? []).filter(isRecent), atMs];
    this.#postsMs.set(id, posts);
    // Each message of a delivery backs off beside the others.
    if (posts.length > MOST_AN_HOUR * (1 + this.#repeats)) {
      this.#journal.violated('A delivery is attempted more often than its rules allow.');
    }
  }
}
