import { deliveryId } from '../../core/delivery/delivery.ts';
import { type Integration, isStopped } from '../../core/integration/integration.ts';
import type { InMemoryPendingEvents } from '../support/delivery/pending/in-memory-pending-events.ts';
import type { InMemorySetAsideEvents } from '../support/delivery/pending/in-memory-set-aside-events.ts';
import type { InMemoryIntegrations } from '../support/integration/in-memory-integrations.ts';
import { type CustomerEndpoints, eventNumberIn } from './customer-endpoints.ts';
import type { Journal } from './journal.ts';
import type { Ledger } from './ledger.ts';
import type { Machine } from './machine.ts';

const MINUTE_MS = 60_000;
/** A backoff waits up to an hour and a fifth, and a hanging attempt takes a quarter of a minute. */
const SOON_MS = 80 * MINUTE_MS;
/** Within this, an endpoint that confirms most of what it gets confirms each event. */
const MOSTLY_MS = 13 * 60 * MINUTE_MS;
/** The longest wait of a refused event is two thirds of its window, and its attempt ends later. */
const LONGEST_WAIT_MS = 8 * 60 * MINUTE_MS + MINUTE_MS;

const LONG_WINDOW_MS = 12 * 60 * MINUTE_MS;

/** What the rules look at. */
export interface Watched {
  readonly machine: Machine;
  readonly journal: Journal;
  readonly ledger: Ledger;
  readonly endpoints: CustomerEndpoints;
  readonly integrations: InMemoryIntegrations;
  readonly pendingEvents: InMemoryPendingEvents;
  readonly setAsideEvents: InMemorySetAsideEvents;
  readonly settings: { readonly busyAfter: number; readonly windowMs: number };
}

interface Seen {
  readonly revision: number;
  /** Since when deliveries have gone on, in milliseconds since 1970; `Infinity` if they do not. */
  readonly runsSinceMs: number;
  /** Since when the endpoint has confirmed every good event; `Infinity` if it does not. */
  readonly worksSinceMs: number;
  /** Since when it would confirm each at some moment. */
  readonly worksMostlySinceMs: number;
}

/**
 * Checks when good events are delivered, and not only that they are. The rules hold while nothing
 * goes wrong but endpoints, and of endpoints that work but for fewer events than make their
 * integration busy or failed.
 */
export class TimeRules {
  readonly #world: Watched;
  readonly #seen = new Map<string, Seen>();

  constructor(world: Watched) {
    this.#world = world;
  }

  /** Looks at the integrations and their endpoints, after whatever may have changed them. */
  look(): void {
    const { machine, endpoints, integrations } = this.#world;
    for (const integration of integrations.all) {
      const { id, revision, config } = integration;
      const before = this.#seen.get(id);
      const isSame = before?.revision === revision;
      const since = (is: boolean, wasMs = Number.POSITIVE_INFINITY): number => {
        if (!is) return Number.POSITIVE_INFINITY;
        return isSame && Number.isFinite(wasMs) ? wasMs : machine.nowMs;
      };
      this.#seen.set(id, {
        revision,
        runsSinceMs: since(takesDeliveries(integration), before?.runsSinceMs),
        worksSinceMs: since(endpoints.works(config.baseUrl), before?.worksSinceMs),
        worksMostlySinceMs: since(
          endpoints.worksMostly(config.baseUrl),
          before?.worksMostlySinceMs,
        ),
      });
    }
  }

  /** Checks that no event is set aside that its endpoint would confirm at another moment. */
  judgeSetAside(id: string, integration: string): void {
    const { ledger, machine, journal, settings } = this.#world;
    const { worksMostlySinceMs = Number.POSITIVE_INFINITY } = this.#seen.get(integration) ?? {};
    const sinceMs = Math.max(worksMostlySinceMs, machine.calmSinceMs);
    // In a short window, the few attempts may all come at a bad moment.
    if (settings.windowMs < LONG_WINDOW_MS || sinceMs > ledger.firstFailureMs(id)) return;
    journal.saw('rule of another moment');
    if (this.isGood(id)) journal.violated('An event is set aside that would be confirmed.');
  }

  /** Since when nothing has kept the integration's endpoint from confirming every good event. */
  worksSinceMs(integration: string): number {
    const { worksSinceMs = Number.POSITIVE_INFINITY } = this.#seen.get(integration) ?? {};
    return Math.max(worksSinceMs, this.#world.machine.calmSinceMs);
  }

  /** Checks that an integration that has taken deliveries for a while has delivered good events. */
  judge(): void {
    const { machine, journal } = this.#world;
    if (!this.#hasFewBad()) return;
    const untilMs = machine.nowMs - SOON_MS;
    for (const [id, { runsSinceMs }] of this.#seen) {
      if (Math.max(runsSinceMs, this.worksSinceMs(id)) > untilMs) continue;
      journal.saw('rule of active integrations');
      const late = this.#due(id).find(([, { occurredAtMs }]) => occurredAtMs <= untilMs);
      if (late) journal.violated(`${late[0]} is late, although its integration is active.`);
    }
  }

  /** Checks that good events are delivered, after hours in which there was a new one in each. */
  judgeSteady(): void {
    const { machine, journal, integrations, endpoints } = this.#world;
    if (!this.#hasFewBad()) return;
    for (const integration of integrations.all.filter(({ active }) => active)) {
      if (!endpoints.works(integration.config.baseUrl)) continue;
      journal.saw('rule of steady events');
      const late = this.#due(integration.id).find(
        ([, { occurredAtMs }]) => occurredAtMs <= machine.nowMs - SOON_MS,
      );
      if (late) journal.violated(`${late[0]} is late, although others are confirmed.`);
      if (isStopped(integration)) {
        journal.violated('An integration takes no deliveries, although its endpoint works.');
      }
    }
  }

  /**
   * Checks, once all backoffs have ended, that events that are never confirmed are set aside, and
   * that all others are confirmed.
   */
  judgeFates(): void {
    const { machine, ledger, integrations, endpoints, journal } = this.#world;
    if (!this.#hasFewBad()) return;
    if (endpoints.bad > 0) journal.saw('rule of events that are never confirmed');
    for (const { id, config } of integrations.all.filter(({ active }) => active)) {
      const setAside = this.#setAside(id);
      const kept = ledger.outstanding.find(
        ([one, owed]) => owed.integration === id && !this.isGood(one) && !setAside.has(one),
      );
      const works = endpoints.works(config.baseUrl);
      if (kept && works) {
        journal.violated(`${kept[0]} is never confirmed, and is not set aside.`);
      }
      if (!works) journal.saw('rule of endpoints that confirm most of what they get');
      const mostMs = works ? SOON_MS : MOSTLY_MS;
      const late = this.#outstanding(id).find(
        ([, { occurredAtMs }]) => occurredAtMs <= machine.nowMs - mostMs,
      );
      if (late) journal.violated(`${late[0]} is late, although its endpoint confirms most events.`);
    }
  }

  /** Whether the endpoint confirms the event while it works, and has not yet. */
  isGood(id: string | undefined): boolean {
    const { ledger, integrations, endpoints } = this.#world;
    const owed = id === undefined ? undefined : ledger.owed.get(id);
    if (id === undefined || owed === undefined || !ledger.isOutstanding(id)) return false;
    const stored = integrations.all.find((other) => other.id === owed.integration);
    return stored !== undefined && endpoints.isGood(stored.config.baseUrl, eventNumberIn(id));
  }

  /** Without those that were refused and wait in their window. */
  #due(integration: string) {
    const { pendingEvents, machine, journal, ledger } = this.#world;
    const waiting = pendingEvents.eventsOf(integration).filter(({ delivery, dueAt }) => {
      if (!delivery.backoff || !dueAt) return false;
      const attemptedAtMs = ledger.latestFailureMs(deliveryId(integration, delivery.event.id));
      if (Date.parse(dueAt) - attemptedAtMs > LONGEST_WAIT_MS) {
        journal.violated('A refused event waits too long.');
      }
      return Date.parse(dueAt) > machine.nowMs - SOON_MS;
    });
    const ids = new Set(waiting.map(({ delivery }) => deliveryId(integration, delivery.event.id)));
    if (ids.size > 0) journal.saw('refused event waiting in its window');
    return this.#outstanding(integration).filter(([id]) => !ids.has(id));
  }

  /** Good events that were not confirmed. A set-aside one was refused by an endpoint in trouble. */
  #outstanding(integration: string) {
    const setAside = this.#setAside(integration);
    return this.#world.ledger.outstanding.filter(
      ([id, owed]) => owed.integration === integration && this.isGood(id) && !setAside.has(id),
    );
  }

  #setAside(integration: string): ReadonlySet<string> {
    const events = this.#world.setAsideEvents.of(integration);
    return new Set(events.map(({ event }) => deliveryId(integration, event.id)));
  }

  #hasFewBad(): boolean {
    return this.#world.endpoints.bad < this.#world.settings.busyAfter;
  }
}

const takesDeliveries = (integration: Integration): boolean =>
  integration.active && !isStopped(integration);
