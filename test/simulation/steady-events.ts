import { deliveryId } from '../../core/delivery/delivery.ts';
import type { OnFatalError } from '../../core/integration/settings.ts';
import { anEvent } from '../support/event/platform-events.ts';
import { CALM } from './chance.ts';
import { type Behaviour, eventNumberIn, RESPONSE_TIMEOUT_MS } from './customer-endpoints.ts';
import { createFunctions } from './functions.ts';
import { Journal } from './journal.ts';
import { HourlyPosts } from './ledger.ts';
import { settled } from './machine.ts';
import { eventIdOf, idOf, sealedSecretOf, World } from './world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

type Answer = ReturnType<Extract<Behaviour, (event: number) => unknown>>;

export interface SteadyEvents {
  readonly seed?: number;
  /** Events at the beginning, before the steady ones: all at once, or one every `burstEveryMs`. */
  readonly burst?: number;
  readonly burstEveryMs?: number;
  /** How many events there are at each time. */
  readonly atOnce?: number;
  /** Absent if no event follows the burst. */
  readonly everyMs?: number;
  readonly hours: number;
  readonly onFatalError: OnFatalError;
  /** Of an event that occurred, once in each attempt, so many milliseconds after the beginning. */
  readonly answer: (event: number, sinceBeginningMs: number) => Answer;
  /** How long the endpoint takes to answer an attempt that begins then. */
  readonly takesMs?: (event: number, sinceBeginningMs: number) => number;
  /** Whether an event counts as good: its endpoint takes it sooner or later. */
  readonly isGood: (event: number) => boolean;
  /** How probable it is that a run of a replay has no time for its next page. */
  readonly outOfTime?: number;
  /** No try opens the integration's secret. */
  readonly hasUnreadableSecret?: true;
  /** The flexible window of the hourly schedule. */
  readonly flexibleMs?: number;
  /** The endpoint answers 409 to events that it has confirmed. */
  readonly refusesDuplicates?: boolean;
  /** What else happens, so many milliseconds after the beginning, in order. */
  readonly meanwhile?: readonly { readonly atMs: number; readonly act: (world: World) => void }[];
}

export interface Waits {
  readonly violation: Error | undefined;
  readonly good: number;
  /** Good events that are set aside. */
  readonly goodSetAside: number;
  /** Good events that occurred more than `pastMinutes` before the end and were not confirmed. */
  undeliveredAfter(pastMinutes: number): number;
  /** From occurrence to confirmation, of good events that occurred within a time; 0 without any. */
  longestMinutes(within?: { fromMinute: number; toMinute: number }): number;
  /** The most messages that were in the queues of deliveries together. */
  readonly mostQueued: number;
  /** How many different events the endpoint refused before the integration was first failed. */
  readonly refusedBeforeFailed: number | undefined;
  /** How often the endpoint gave each answer. */
  readonly answers: ReadonlyMap<string, number>;
  /** The most attempts of one event. */
  readonly mostAttempts: number;
  /** The attempts of each event. */
  readonly attempts: ReadonlyMap<number, number>;
  /** Whether the integration was failed when an event occurred. */
  readonly wasFailed: boolean;
  /** How many events came while it was failed. */
  readonly failedEvents: number;
  /** Numbers of the events that are set aside. */
  readonly setAside: readonly number[];
  /** Numbers of the events that the log shows as delivered. */
  readonly loggedDelivered: ReadonlySet<number>;
}

/** The batches and pages that a deployed stage has. */
const SIZES = { batchSize: 10, pageSize: 100 };

/**
 * Sends events to one integration at a steady rate, in virtual time, while nothing goes wrong but
 * what its endpoint answers. Ends at the first violation of an invariant.
 */
export const sendSteadily = async (given: SteadyEvents): Promise<Waits> => {
  const journal = new Journal();
  const world = new World(settingsOf(given), journal, createFunctions);
  world.hourlyPosts = new HourlyPosts(journal);
  const { machine } = world;
  machine.chaos = { ...CALM, outOfTime: given.outOfTime ?? 0 };
  if (given.hasUnreadableSecret) await spoilSecret(world);
  const startMs = machine.nowMs;
  let mostQueued = 0;
  const refused = new Set<number>();
  const answers = new Map<string, number>();
  let refusedBeforeFailed: number | undefined;
  let failedEvents = 0;
  const decide = (event: number): Answer => {
    const answer = given.answer(event, machine.nowMs - startMs);
    if (answer === 'error') refused.add(event);
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
    return answer;
  };
  const decided = new Map<number, Answer>();
  world.endpoints.behaveAlike((event) => {
    const answer = decided.get(event) ?? decide(event);
    decided.delete(event);
    return answer;
  });
  world.endpoints.tookMs = ({ headers }) => {
    const event = eventNumberIn(headers['webhook-id'] ?? '');
    if (given.takesMs) return given.takesMs(event, machine.nowMs - startMs);
    const answer = decide(event);
    decided.set(event, answer);
    return answer === 'response-timeout' ? RESPONSE_TIMEOUT_MS : 0;
  };
  const occurredMs = new Map<number, number>();
  const publish = () => {
    const number = world.published.length + 1;
    occurredMs.set(number, machine.nowMs);
    const occurredAt = machine.now().toISOString();
    const event = anEvent({ id: eventIdOf(number), occurredAt, data: { number } });
    world.published.push(event);
    world.events.send(event);
  };
  const goOnUntil = async (sinceBeginningMs: number): Promise<boolean> => {
    while (journal.violation === undefined && (await machine.step(startMs + sinceBeginningMs)));
    mostQueued = Math.max(mostQueued, world.deliveries.size + world.slowLane.size);
    const isFailed = world.integrations.all[0]?.trouble?.kind === 'failed';
    if (isFailed) refusedBeforeFailed ??= refused.size;
    if (isFailed) failedEvents += 1;
    return journal.violation === undefined;
  };
  const publishing = timesOf(given).map((atMs) => ({ atMs, act: publish }));
  const happening = [...publishing, ...(given.meanwhile ?? [])].toSorted((a, b) => a.atMs - b.atMs);
  for (const { atMs, act } of happening) {
    if (!(await goOnUntil(atMs))) break;
    act(world);
    await settled();
  }
  await goOnUntil(given.hours * HOUR_MS);
  const endMs = machine.nowMs;
  const good = [...occurredMs.keys()].filter(given.isGood);
  const confirmedMs = (event: number) =>
    world.ledger.firstConfirmedAt.get(deliveryId(idOf(0), eventIdOf(event)));
  const postsOf = (event: number) =>
    world.ledger.promiseOf(deliveryId(idOf(0), eventIdOf(event))).postsBefore;
  const setAside = new Set(world.setAsideEvents.of(idOf(0)).map(({ event }) => event.id));
  return {
    violation: journal.violation,
    good: good.length,
    goodSetAside: good.filter((event) => setAside.has(eventIdOf(event))).length,
    undeliveredAfter: (pastMinutes) =>
      good.filter(
        (event) =>
          confirmedMs(event) === undefined &&
          (occurredMs.get(event) ?? 0) < endMs - pastMinutes * MINUTE_MS,
      ).length,
    longestMinutes: ({ fromMinute, toMinute } = { fromMinute: 0, toMinute: Infinity }) =>
      Math.max(
        0,
        ...good.map((event) => {
          const fromMs = occurredMs.get(event) ?? 0;
          const minute = (fromMs - startMs) / MINUTE_MS;
          const isWithin = minute >= fromMinute && minute < toMinute;
          return isWithin ? ((confirmedMs(event) ?? fromMs) - fromMs) / MINUTE_MS : 0;
        }),
      ),
    mostQueued,
    refusedBeforeFailed,
    answers,
    mostAttempts: Math.max(0, ...[...occurredMs.keys()].map(postsOf)),
    attempts: new Map([...occurredMs.keys()].map((event) => [event, postsOf(event)])),
    wasFailed: refusedBeforeFailed !== undefined,
    failedEvents,
    setAside: [...occurredMs.keys()].filter((event) => setAside.has(eventIdOf(event))),
    loggedDelivered: new Set(
      world.deliveryLog.deliveries
        .filter(({ deliveredAt }) => deliveredAt !== undefined)
        .map(({ event }) => eventNumberIn(event.id)),
    ),
  };
};

const settingsOf = ({
  seed = 1,
  onFatalError,
  refusesDuplicates = false,
  flexibleMs = 0,
}: SteadyEvents) => ({
  seed,
  integrations: 1,
  busyAfter: 20,
  backoffLimits: { most: 50, probes: 3 },
  windowMs: 12 * HOUR_MS,
  onFatalError,
  refusesDuplicates,
  flexibleMs,
  retryReceives: 20,
  ...SIZES,
});

/** Between events at once. */
const AT_ONCE_MS = 10;

/** When events occur, in milliseconds after the beginning. */
const timesOf = (given: SteadyEvents): number[] => {
  const { burst = 0, burstEveryMs = 0, atOnce = 1, everyMs, hours } = given;
  const first = Array.from({ length: burst }, (_, index) => index * burstEveryMs);
  if (everyMs === undefined) return first;
  const count = Math.ceil((hours * HOUR_MS) / everyMs);
  const steady = Array.from({ length: count * atOnce }, (_, index) => {
    const number = Math.floor(index / atOnce);
    return number * everyMs + (index % atOnce) * AT_ONCE_MS;
  });
  return [...first, ...steady.map((atMs) => atMs + burst * burstEveryMs)];
};

/** Gives the first integration the sealed secret of another, which opens for that one alone. */
const spoilSecret = async ({ integrations }: World): Promise<void> => {
  for (const integration of integrations.all.slice(0, 1)) {
    const config = { ...integration.config, webhookSecret: sealedSecretOf(0, 1) };
    await integrations.replace({ ...integration, config }, integration);
  }
};
