import { deliveryId } from '../../core/delivery/delivery.ts';
import type { OnFatalError } from '../../core/integration/integration.ts';
import { anEvent } from '../support/event/platform-events.ts';
import { CALM } from './chance.ts';
import type { Behaviour } from './customer-endpoints.ts';
import { createFunctions } from './functions.ts';
import { Journal } from './journal.ts';
import { HourlyPosts } from './ledger.ts';
import { eventIdOf, idOf, sealedSecretOf, World } from './world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

type Answer = ReturnType<Extract<Behaviour, (event: number) => unknown>>;

export interface SteadyEvents {
  /** Events at the beginning, all at once, beside the steady ones. */
  readonly burst?: number;
  readonly everyMs: number;
  readonly hours: number;
  readonly onFatalError: OnFatalError;
  /** Of an event that occurred, in an attempt, so many milliseconds after the beginning. */
  readonly answer: (event: number, sinceBeginningMs: number) => Answer;
  /** Whether an event counts as good: its endpoint takes it sooner or later. */
  readonly isGood: (event: number) => boolean;
  /** How probable it is that a run of a replay has no time for its next page. */
  readonly outOfTime?: number;
  /** No try opens the integration's secret. */
  readonly hasUnreadableSecret?: true;
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
}

/** The batches and pages that a deployed stage has. */
const SIZES = { batchSize: 10, pageSize: 100 };

/**
 * Sends events to one integration at a steady rate, in virtual time, while nothing goes wrong but
 * what its endpoint answers. Ends at the first violation of an invariant.
 */
export const sendSteadily = async (given: SteadyEvents): Promise<Waits> => {
  const journal = new Journal();
  const world = new World(
    {
      seed: 1,
      integrations: 1,
      busyAfter: 20,
      backoffLimits: { most: 50, probes: 3 },
      windowMs: 12 * HOUR_MS,
      onFatalError: given.onFatalError,
      ...SIZES,
    },
    journal,
    createFunctions,
  );
  world.hourlyPosts = new HourlyPosts(journal);
  const { machine } = world;
  machine.chaos = { ...CALM, outOfTime: given.outOfTime ?? 0 };
  if (given.hasUnreadableSecret) await spoilSecret(world);
  const startMs = machine.nowMs;
  let mostQueued = 0;
  const refused = new Set<number>();
  let refusedBeforeFailed: number | undefined;
  world.endpoints.behaveAlike((event) => {
    const answer = given.answer(event, machine.nowMs - startMs);
    if (answer === 'error') refused.add(event);
    return answer;
  });
  const occurredMs = new Map<number, number>();
  const publish = () => {
    const number = world.events.sent + 1;
    occurredMs.set(number, machine.nowMs);
    const occurredAt = machine.now().toISOString();
    world.events.send(anEvent({ id: eventIdOf(number), occurredAt, data: { number } }));
  };
  for (let count = 0; count < (given.burst ?? 0); count += 1) publish();
  for (let atMs = startMs; atMs < startMs + given.hours * HOUR_MS; atMs += given.everyMs) {
    while (journal.violation === undefined && (await machine.step(atMs)));
    if (journal.violation !== undefined) break;
    mostQueued = Math.max(mostQueued, world.deliveries.size + world.slowLane.size);
    publish();
    const isFailed = world.integrations.all[0]?.trouble?.kind === 'failed';
    if (isFailed) refusedBeforeFailed ??= refused.size;
  }
  const endMs = machine.nowMs;
  const good = [...occurredMs.keys()].filter(given.isGood);
  const confirmedMs = (event: number) =>
    world.ledger.firstConfirmedAt.get(deliveryId(idOf(0), eventIdOf(event)));
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
  };
};

/** Gives the first integration the sealed secret of another, which opens for that one alone. */
const spoilSecret = async ({ integrations }: World): Promise<void> => {
  for (const integration of integrations.all.slice(0, 1)) {
    const config = { ...integration.config, webhookSecret: sealedSecretOf(0, 1) };
    await integrations.replace({ ...integration, config }, integration);
  }
};
