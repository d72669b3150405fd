import type { PostResult } from '../../core/delivery/attempt.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { Lane } from '../../core/delivery/lanes.ts';
import type { BackoffLimits, BackoffPolicy } from '../../core/delivery/sending/backoff.ts';
import type { WebhookRequest } from '../../core/delivery/sending/make-attempt.ts';
import type { PlatformEvent } from '../../core/event/event.ts';
import type { Integration } from '../../core/integration/integration.ts';
import type { OnFatalError } from '../../core/integration/settings.ts';
import type { SealedSecret } from '../../core/integration/signing-secrets.ts';
import { InMemorySetAsideEvents } from '../support/delivery/pending/in-memory-set-aside-events.ts';
import { InMemorySlotStore } from '../support/delivery/sending/in-memory-slot-store.ts';
import { InMemoryIntegrations } from '../support/integration/in-memory-integrations.ts';
import { InMemorySecrets, sealedInMemory } from '../support/integration/in-memory-secrets.ts';
import { anIntegration } from '../support/integration/integrations.ts';
import { Random } from './chance.ts';
import { CustomerEndpoints, eventNumberIn } from './customer-endpoints.ts';
import { HourlyRules } from './hourly-rules.ts';
import type { Journal } from './journal.ts';
import { type HourlyPosts, Ledger, type Poster } from './ledger.ts';
import { Machine, type Process } from './machine.ts';
import { PagedDeliveryLog, PagedPendingEvents } from './paged-stores.ts';
import { type Received, type ReplayMessage, ReplayQueue, StandardQueue } from './queues.ts';
import { TimeRules } from './time-rules.ts';
import { type RetryMessage, VirtualScheduler } from './virtual-scheduler.ts';

export interface Settings {
  readonly seed: number;
  readonly integrations: number;
  readonly busyAfter: number;
  readonly backoffLimits: BackoffLimits;
  readonly windowMs: number;
  readonly onFatalError: OnFatalError;
  /** Whether endpoints answer 409 to an event that they have confirmed. */
  readonly refusesDuplicates: boolean;
  /** The flexible window of the hourly schedules; absent if they fire on time. */
  readonly flexibleMs?: number;
  /** How often the retry queue hands a message out, at most. */
  readonly retryReceives: number;
  /**
   * Messages of a batch, and pending events of a page, at most: small, so that there are several.
   */
  readonly batchSize: number;
  readonly pageSize: number;
}

export const ACCOUNT = 'acme';
export const idOf = (index: number): string => `integration${index}`;
export const urlOf = (integration: number, address: number): string =>
  `https://${idOf(integration)}.example/${address}`;
const secretOf = (index: number): string => `secret ${index} of the simulation`;

/** A secret as an integration has it. */
export const sealedSecretOf = (secret: number, integration: number): SealedSecret =>
  sealedInMemory(secretOf(secret), {
    account: ACCOUNT,
    integration: idOf(integration),
    field: 'webhookSecret',
  });

export const eventIdOf = (number: number): string => `evt_${String(number).padStart(3, '0')}`;

const STARTS_AT = new Date('2026-11-20T12:00:00.000Z');
const MINUTE_MS = 60_000;
export const RETRY_INTERVAL_MS = 60 * MINUTE_MS;

/** The functions that queues and schedules invoke. */
export interface Functions {
  routeEvents(batch: readonly Received<PlatformEvent>[]): void;
  deliverWebhooks(batch: readonly Received<Delivery>[], lane: Lane): void;
  runReplay(message: ReplayMessage): void;
  retryHourly(message: RetryMessage, ended: Process['ended']): void;
}

/**
 * The stores that the functions share, in memory, and the queues and schedules that invoke them.
 */
export class World {
  readonly settings: Settings;
  /** Ids of all integrations, also of deleted integrations. */
  readonly ids: readonly string[];
  readonly machine: Machine;
  readonly journal: Journal;
  readonly ledger: Ledger;
  /** Of a run in which nothing goes wrong but endpoints. */
  hourlyPosts: HourlyPosts | undefined;
  readonly backoff: BackoffPolicy;
  readonly endpoints: CustomerEndpoints;
  readonly integrations: InMemoryIntegrations;
  readonly secrets = new InMemorySecrets();
  readonly setAsideEvents = new InMemorySetAsideEvents();
  readonly pendingEvents: PagedPendingEvents;
  readonly slots = new InMemorySlotStore();
  readonly deliveryLog: PagedDeliveryLog;
  readonly events: StandardQueue<PlatformEvent>;
  readonly deliveries: StandardQueue<Delivery>;
  readonly slowLane: StandardQueue<Delivery>;
  readonly replays: ReplayQueue;
  readonly schedules: VirtualScheduler;
  readonly functions: Functions;
  readonly timeRules: TimeRules;
  readonly hourlyRules: HourlyRules;
  /** The events that the platform has sent, in order. It sends some of them again. */
  readonly published: PlatformEvent[] = [];
  readonly #confirmedAt = new Map<string, string>();

  constructor(settings: Settings, journal: Journal, createFunctions: (world: World) => Functions) {
    this.settings = settings;
    this.ids = firstIntegrations(settings).map(({ id }) => id);
    this.journal = journal;
    this.pendingEvents = new PagedPendingEvents(this.setAsideEvents, settings.pageSize);
    const random = new Random(settings.seed);
    const machine = new Machine(random, journal, { startsAt: STARTS_AT });
    this.machine = machine;
    this.ledger = new Ledger(journal, {
      retryIntervalMs: RETRY_INTERVAL_MS,
      windowMs: settings.windowMs,
    });
    this.backoff = { firstDelayMs: 15_000, maxDelayMs: 3_600_000, windowMs: settings.windowMs };
    const deliveryLog = new PagedDeliveryLog(journal, () => machine.nowMs);
    this.deliveryLog = deliveryLog;
    this.endpoints = new CustomerEndpoints(random, {
      refusesDuplicates: settings.refusesDuplicates,
      now: () => machine.nowMs,
      isKnown: (id) => deliveryLog.knewBefore(id, machine.nowMs + 1),
    });
    this.timeRules = new TimeRules(this);
    this.hourlyRules = new HourlyRules(this);
    this.integrations = new InMemoryIntegrations(...firstIntegrations(settings));
    const functions = createFunctions(this);
    this.functions = functions;
    this.events = new StandardQueue(machine, {
      name: 'events',
      visibilityMs: 6 * MINUTE_MS,
      batchSize: settings.batchSize,
      invoke: functions.routeEvents,
    });
    this.deliveries = new StandardQueue(machine, {
      name: 'deliveries',
      visibilityMs: 6 * MINUTE_MS,
      batchSize: settings.batchSize,
      invoke: (batch) => functions.deliverWebhooks(batch, 'fast'),
    });
    this.slowLane = new StandardQueue(machine, {
      name: 'slowLane',
      visibilityMs: 6 * MINUTE_MS,
      batchSize: settings.batchSize,
      invoke: (batch) => functions.deliverWebhooks(batch, 'slow'),
    });
    this.replays = new ReplayQueue(machine, {
      visibilityMs: 30 * MINUTE_MS,
      invoke: functions.runReplay,
    });
    this.schedules = new VirtualScheduler(machine, {
      intervalMs: RETRY_INTERVAL_MS,
      flexibleMs: settings.flexibleMs ?? 0,
      receives: settings.retryReceives,
      invoke: functions.retryHourly,
      judge: this.hourlyRules,
    });
    machine.sources.push(
      ...[this.events, this.deliveries, this.slowLane],
      ...[this.replays, this.schedules],
    );
  }

  /**
   * Checks after every effect that each integration in trouble has a schedule for its retries, and
   * that what is known of successes is never older than before.
   */
  readonly afterEffect = (): void => {
    this.timeRules.look();
    for (const integration of this.integrations.all) {
      const { id, confirmedAt = '' } = integration;
      if (confirmedAt < (this.#confirmedAt.get(id) ?? '')) {
        this.journal.violated('The latest known success goes back in time.');
      }
      this.#confirmedAt.set(id, confirmedAt);
      if (!integration.trouble) continue;
      this.journal.saw(`integration ${integration.trouble.kind}`);
      if (!this.schedules.has(integration)) {
        this.journal.violated('An integration is in trouble without a schedule.');
      }
    }
  };

  post(
    request: WebhookRequest,
    poster: Pick<Poster, 'hourlyRetry'> & {
      readings: ReadonlyMap<string, Integration | undefined>;
    },
  ): PostResult {
    const id = request.headers['webhook-id'] ?? '';
    const reading = poster.readings.get(id.split('/')[2] ?? '');
    const atMs = this.machine.nowMs;
    this.ledger.posted(request, { hourlyRetry: poster.hourlyRetry, reading }, { atMs });
    this.hourlyPosts?.posted(id, atMs);
    const result = this.endpoints.answer(request.url, eventNumberIn(id));
    const isDuplicate = result.kind === 'answered' && result.statusCode === 409;
    if (isDuplicate && !this.deliveryLog.knewBefore(id, atMs)) {
      this.endpoints.spoil(request.url, id);
    }
    this.ledger.answered(id, result, { atMs });
    return result;
  }
}

const firstIntegrations = ({ integrations, onFatalError }: Settings) =>
  Array.from({ length: integrations }, (_, index) =>
    anIntegration({
      account: ACCOUNT,
      id: idOf(index),
      config: { baseUrl: urlOf(index, 0), webhookSecret: sealedSecretOf(0, index) },
      settings: { ...anIntegration().settings, onFatalError },
    }),
  );
