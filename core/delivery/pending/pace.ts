import type { Delivery } from '../delivery.ts';
import type { DeliveryLog, LogReading } from '../delivery-log.ts';
import type { Pace, ReplayRequest, Sampled } from './replay-requests.ts';
import { FIRST_STEP, paceAfter } from './step-pace.ts';

export interface PacePorts {
  deliveryLog: Pick<DeliveryLog, 'read'>;
  now: () => Date;
  pause: (milliseconds: number) => Promise<void>;
}

/** Of a step, spread evenly: bounds what is read of the log, and the size of a request. */
const SAMPLES = 16;
/** The next step need not wait for the last of the step before. */
const UNANSWERED_SHARE = 1 / 4;
const READ_AT_ONCE = 8;
const LOOK_EVERY_MS = 50;
/** Looks of a run, in all and without an answer: all customers share the concurrency of runs. */
const MOST_LOOKS = 200;
const MOST_IDLE_LOOKS = 20;
/** A run ends with a longer rest. */
const LONGEST_PAUSE_MS = 1_000;
/** By then an attempt of an endpoint that does not answer is over, in the slow lane too. */
const ANSWERED_AFTER_MS = 20_000;

/**
 * The pace of a replay or of the walk of a recovery, in one run of it. Its steps go on in the next
 * run, which waits in its queue while the endpoint rests or does not answer.
 */
export class ReplayPace {
  readonly #ports: PacePorts;
  readonly #integration: string;
  #pace: Pace;
  #answers: LogReading[] = [];
  #latest: Sampled | undefined;
  #looks = 0;
  #idleLooks = 0;
  #notBefore: Date | undefined;
  #confirmedAt: string | undefined;
  /** The run before waited for the answers: the attempts are over, recorded or not. */
  #isOverdue: boolean;

  constructor(
    ports: PacePorts,
    { id, pace = FIRST_STEP, notBefore }: Pick<ReplayRequest, 'id' | 'pace' | 'notBefore'>,
  ) {
    this.#ports = ports;
    this.#integration = id;
    this.#pace = pace;
    this.#isOverdue = notBefore !== undefined;
  }

  /** How many deliveries may be enqueued; none before it is known how the step went. */
  async allowed(): Promise<number> {
    const { left, size, sampled } = this.#pace;
    if (left > 0) return left;
    if (sampled.length > Math.floor(Math.min(size, SAMPLES) * UNANSWERED_SHARE)) {
      await this.#look();
      return 0;
    }
    return this.#beginStep();
  }

  enqueued(deliveries: readonly Delivery[]): void {
    const { left, size, sampled } = this.#pace;
    const every = Math.ceil(size / SAMPLES);
    // A resend may have been delivered before: its log does not show when it is answered.
    const shown = deliveries
      .map((delivery, index) => ({ delivery, isChosen: (left - index) % every === 0 }))
      .filter(({ delivery }) => delivery.trigger !== 'manual');
    const chosen = shown.filter(({ isChosen }) => isChosen).map(sampleOf);
    this.#latest = shown.map(sampleOf).at(-1) ?? this.#latest;
    this.#isOverdue = false;
    this.#pace = {
      ...this.#pace,
      left: left - deliveries.length,
      sampled: [...sampled, ...chosen],
    };
  }

  /** Whether all is answered that was enqueued, as far as the samples show, and the last of it. */
  async isOver(): Promise<boolean> {
    const { sampled } = this.#pace;
    const latest = this.#latest;
    this.#latest = undefined;
    const isAwaited = sampled.some(({ event }) => event.id === latest?.event.id);
    if (latest && !isAwaited) this.#await([...sampled, latest]);
    if (this.#pace.sampled.length === 0) return true;
    await this.#look();
    return false;
  }

  /** When the latest attempt of this run began that was confirmed, if one is known. RFC 3339. */
  get confirmedAt(): string | undefined {
    return this.#confirmedAt;
  }

  /** Whether the run goes on. */
  get hasPatience(): boolean {
    const isIdle = this.#idleLooks >= MOST_IDLE_LOOKS;
    return this.#looks < MOST_LOOKS && !isIdle && this.#notBefore === undefined;
  }

  /** What the next run must know, and when it may begin. */
  next(): { pace: Pace; notBefore?: Date | undefined } {
    const answeredAt = new Date(this.#ports.now().getTime() + ANSWERED_AFTER_MS);
    const notBefore = this.#idleLooks > 0 ? answeredAt : this.#notBefore;
    return { pace: this.#pace, notBefore };
  }

  async #beginStep(): Promise<number> {
    const now = this.#ports.now();
    const { pace, restMs } = paceAfter(this.#pace, this.#answers, now);
    this.#pace = pace;
    this.#answers = [];
    if (restMs <= LONGEST_PAUSE_MS) {
      if (restMs > 0) await this.#ports.pause(restMs);
      return pace.left;
    }
    this.#notBefore = new Date(now.getTime() + restMs);
    return 0;
  }

  /** Without the log, the replay goes on. */
  async #look(): Promise<void> {
    const looked = this.#pace.sampled.slice(0, READ_AT_ONCE);
    const deliveries = looked.map(({ event }) => ({ integration: this.#integration, event }));
    const read = await this.#ports.deliveryLog.read(deliveries).catch(() => undefined);
    const answered = new Map(
      looked.flatMap((one, index) => {
        const reading = read?.[index];
        const isRead = reading !== undefined && !(reading instanceof Error);
        return isRead && isAnswered(reading, one) ? [[one, reading] as const] : [];
      }),
    );
    this.#looks += 1;
    this.#idleLooks = answered.size > 0 ? 0 : this.#idleLooks + 1;
    this.#answers.push(...answered.values());
    this.#noteConfirmations();
    const isGivenUp = read === undefined || (this.#isOverdue && this.#idleLooks > 0);
    if (isGivenUp) this.#idleLooks = 0;
    this.#await(isGivenUp ? [] : this.#pace.sampled.filter((one) => !answered.has(one)));
    if (answered.size < looked.length) await this.#ports.pause(LOOK_EVERY_MS);
  }

  #await(sampled: readonly Sampled[]): void {
    this.#pace = { ...this.#pace, sampled };
  }

  #noteConfirmations(): void {
    for (const { latestAttempt: latest } of this.#answers) {
      const isLater = latest !== undefined && latest.startedAt > (this.#confirmedAt ?? '');
      if (isLater && latest.outcome === 'delivered') this.#confirmedAt = latest.startedAt;
    }
  }
}

const sampleOf = ({ delivery: { event, priorAttempts } }: { delivery: Delivery }): Sampled => ({
  event,
  priorAttempts,
});

const isAnswered = ({ logged, latestAttempt }: LogReading, { priorAttempts }: Sampled): boolean =>
  logged === 'delivered' || (latestAttempt?.number ?? 0) > priorAttempts;
