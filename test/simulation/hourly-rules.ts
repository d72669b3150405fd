import { type Delivery, deliveryId } from '../../core/delivery/delivery.ts';
import { type IntegrationEpoch, isStopped } from '../../core/integration/integration.ts';
import type { Process } from './machine.ts';
import type { TimeRules, Watched } from './time-rules.ts';
import type { RetryJudge, RetryMessage } from './virtual-scheduler.ts';

/** An hour is claimed for half an hour, and the attempt may begin a minute after the claim. */
const CLAIMED_MS = 31 * 60_000;
const MOST_ATTEMPTS = 3;

/** What waited when a retry began. */
interface Before {
  readonly atMs: number;
  readonly epoch: string;
  /** Ids of the pending deliveries that were not confirmed, oldest first. */
  readonly waiting: readonly string[];
  /** The newest of all that were pending: one that was confirmed takes the turn of the newest. */
  readonly newest: string | undefined;
  /** The most retries after which the oldest event has had its turn, if others are never confirmed. */
  readonly turns: number;
}

/**
 * Checks each message of the retry queue at its end: no hour passes without an attempt of what waits,
 * whatever went wrong with the message, unless it was received as often as it may be. While nothing
 * goes wrong, a retry makes all its attempts, and the right ones.
 */
export class HourlyRules implements RetryJudge {
  readonly #world: Watched & { readonly timeRules: TimeRules };
  /** Messages that are not at their end, by epoch. */
  readonly #open = new Map<string, Set<string>>();
  readonly #before = new Map<string, Before>();
  readonly #attemptedAtMs = new Map<string, number>();
  /** Ids of messages that have made attempts: others came after the hour was claimed. */
  readonly #attempting = new Set<string>();
  readonly #givenUpAtMs = new Map<string, number>();
  /** How often an epoch's retries have left out the oldest event. */
  readonly #leftOut = new Map<string, { oldest: string; times: number }>();

  constructor(world: Watched & { readonly timeRules: TimeRules }) {
    this.#world = world;
  }

  sent({ id, schedule }: RetryMessage): void {
    const open = this.#open.get(nameOf(schedule)) ?? new Set();
    this.#open.set(nameOf(schedule), open.add(id));
  }

  received({ id, schedule }: RetryMessage): void {
    if (!this.#isDue(schedule) || this.#before.has(id)) return;
    const { machine, pendingEvents, ledger, endpoints } = this.#world;
    const pending = pendingEvents.of(schedule.id);
    this.#before.set(id, {
      atMs: machine.nowMs,
      epoch: nameOf(schedule),
      waiting: pending.map(idOf).filter((one) => ledger.isOutstanding(one)),
      newest: pending.map(idOf).at(-1),
      turns: 1 + endpoints.bad * (1 + (pending[0]?.priorAttempts ?? 0)),
    });
  }

  /** A retry makes an attempt, or has what is due replayed. */
  attempted({ id, schedule }: RetryMessage): void {
    this.#attempting.add(id);
    this.#attemptedAtMs.set(nameOf(schedule), this.#world.machine.nowMs);
  }

  /** A retry has found the endpoint well: what waits does not wait for another. */
  recovered({ id }: RetryMessage): void {
    this.#before.delete(id);
  }

  /** The process of a retry has come to its end, and has ended no trouble. */
  retried({ id, schedule }: RetryMessage, { name }: Process): void {
    const { machine, ledger, journal } = this.#world;
    const before = this.#before.get(id);
    if (before === undefined || machine.calmSinceMs > before.atMs) return;
    if (!this.#isDue(schedule)) return;
    journal.saw('rule of the attempts of a retry');
    const most = Math.min(MOST_ATTEMPTS, this.#stillWaiting(before, schedule).length);
    if (ledger.postsOfRetry(name) >= most) return;
    journal.violated('A retry without a confirmed attempt leaves out attempts.');
  }

  ended({ id, schedule }: RetryMessage, how: 'returned' | 'given up'): void {
    const epoch = nameOf(schedule);
    this.#open.get(epoch)?.delete(id);
    if (how === 'given up') this.#givenUpAtMs.set(epoch, this.#world.machine.nowMs);
    const before = this.#before.get(id);
    this.#before.delete(id);
    const isElsewhere = (this.#open.get(epoch)?.size ?? 0) > 0;
    if (before === undefined || isElsewhere || how === 'given up') return;
    if (!this.#isDue(schedule)) return;
    if (this.#stillWaiting(before, schedule).length > 0) this.#judgeAttempt(before);
    if (this.#attempting.has(id)) this.#judgeSelection(before, schedule);
    this.#world.timeRules.judge();
  }

  #judgeAttempt({ atMs, epoch }: Before): void {
    const isRecent = (lastAtMs = 0) => lastAtMs >= atMs - CLAIMED_MS;
    this.#world.journal.saw('rule of the attempts of an hour');
    // The hour was claimed by a message that failed too often.
    if (isRecent(this.#givenUpAtMs.get(epoch)) || isRecent(this.#attemptedAtMs.get(epoch))) return;
    this.#world.journal.violated('An hour passes without an attempt of what waits.');
  }

  /** The newest event has its turn in each retry, and the oldest in as many as there are others. */
  #judgeSelection({ atMs, epoch, waiting, newest, turns }: Before, { id }: IntegrationEpoch): void {
    const { timeRules, journal, pendingEvents } = this.#world;
    if (timeRules.worksSinceMs(id) > atMs - CLAIMED_MS) {
      this.#leftOut.delete(epoch);
      return;
    }
    const pending = pendingEvents.of(id).map(idOf);
    const [oldest] = waiting;
    if (newest !== undefined && newest === pending.at(-1)) {
      journal.saw('rule of the newest event');
      if (timeRules.isGood(newest)) journal.violated('A retry leaves out the newest event.');
    }
    if (oldest === undefined || oldest !== pending[0] || !timeRules.isGood(oldest)) return;
    journal.saw('rule of the oldest event');
    const before = this.#leftOut.get(epoch);
    const times = before?.oldest === oldest ? before.times + 1 : 1;
    this.#leftOut.set(epoch, { oldest, times });
    if (times >= turns) journal.violated('The retries leave out the oldest event.');
  }

  /** Whether the schedule's hour is that of an integration that takes no deliveries. */
  #isDue({ id, epoch }: IntegrationEpoch): boolean {
    const stored = this.#world.integrations.all.find((other) => other.id === id);
    return stored?.epoch === epoch && stored.active && isStopped(stored);
  }

  /** Ids of what waited and still waits. */
  #stillWaiting({ waiting }: Before, { id }: IntegrationEpoch): string[] {
    const pending = new Set(this.#world.pendingEvents.of(id).map(idOf));
    return waiting.filter((one) => pending.has(one) && this.#world.ledger.isOutstanding(one));
  }
}

const nameOf = ({ id, epoch }: IntegrationEpoch): string => `${id} ${epoch}`;

const idOf = ({ integration, event }: Delivery): string => deliveryId(integration, event.id);
