import type { PostResult } from '../../core/delivery/attempt.ts';
import type { Integration } from '../../core/integration/integration.ts';
import type { OnFatalError } from '../../core/integration/settings.ts';
import { limits } from '../../lib/limits.ts';
import type { Random } from '../../test/simulation/chance.ts';
import { aConfig } from '../../test/support/integration/in-memory-secrets.ts';
import { anIntegration } from '../../test/support/integration/integrations.ts';

interface Answer {
  readonly result: PostResult;
  readonly tookMs: number;
}

/** What an endpoint does with an attempt of an event, so long after the start of the run. */
export type Behaviour = (attempt: { event: number; atMs: number; random: Random }) => Answer;

const answering = (statusCode: number): PostResult => ({
  kind: 'answered',
  statusCode,
  responseStart: '',
});

const OK = answering(200);
const GATEWAY_TIMEOUT = answering(504);
const TIMED_OUT: PostResult = { kind: 'unanswered', reason: 'response-timeout' };

const FASTEST_MS = 50;
const SPREAD_MS = 100;
const LEISURELY_MS = 850;
const SLOW_MS = 2_000;

const usualMs = (random: Random): number => FASTEST_MS + random.below(SPREAD_MS);

/** The same for every attempt of an event: an endpoint that dislikes an event always does. */
const isAmong = (event: number, share: number): boolean =>
  (Math.imul(event, 0x9e3779b1) >>> 0) / 2 ** 32 < share;

/** 100 ms on average, as the page about capacity takes it. */
const healthy: Behaviour = ({ random }) => ({ result: OK, tookMs: usualMs(random) });

const dead: Behaviour = () => ({
  result: TIMED_OUT,
  tookMs: limits.attempt.responseTimeoutMs,
});

/** 0.9 s on average: not slow, so that the integration stays in the fast lane. */
const leisurely: Behaviour = ({ random }) => ({
  result: OK,
  tookMs: LEISURELY_MS + random.below(SPREAD_MS),
});

export const slow: Behaviour = () => ({ result: OK, tookMs: SLOW_MS });

const partly =
  (share: number, result: PostResult): Behaviour =>
  (attempt) =>
    isAmong(attempt.event, share) ? { result, tookMs: usualMs(attempt.random) } : healthy(attempt);

const oftenGatewayTimeout = partly(0.1, GATEWAY_TIMEOUT);

const oftenRefusing = (statusCode: number): Behaviour => partly(0.3, answering(statusCode));

const oftenHanging =
  (share: number): Behaviour =>
  (attempt) =>
    isAmong(attempt.event, share) ? dead(attempt) : healthy(attempt);

const deadAfter =
  (minutes: number): Behaviour =>
  (attempt) =>
    attempt.atMs < minutes * 60_000 ? healthy(attempt) : dead(attempt);

/** A row of the table: who is beside the healthy customers. */
export interface Row {
  readonly name: string;
  readonly title: string;
  /** Instead of the first of the integrations, with the events that those would have anyway. */
  readonly others?: Customers & { readonly share: number };
  /** One more customer, with so many events a second from a minute on. */
  readonly flood?: Customers & {
    /** How many integrations get each event; one, unless given. */
    readonly webhooks?: number;
    readonly eventsPerSecond: number;
    readonly fromMinute: number;
    /** The share of the flood's deliveries that its endpoint confirms at their first attempt. */
    readonly confirms: number;
  };
  /** Whether the waits of the others are of interest, because they are to be attempted at once. */
  readonly tellsOthers?: true;
  /** How long the row runs, if it needs longer than the table. */
  readonly minutes?: number;
}

interface Customers {
  readonly behaviour: Behaviour;
  readonly onFatalError?: OnFatalError;
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;

const SHARES = [0.01, 0.05, 0.2];

const PARTLY = 0.05;
/** When outages and floods begin: with the end of the warm-up, so that their beginning counts. */
const BEGINS = 5;

export const ROWS: readonly Row[] = [
  ...SHARES.map((share) => ({
    name: `dead-${100 * share}`,
    title: `${percent(share)} time out after 15 s`,
    others: { share, behaviour: dead },
  })),
  ...SHARES.map((share) => ({
    name: `slow-${100 * share}`,
    title: `${percent(share)} answer after 2 s`,
    others: { share, behaviour: slow },
  })),
  {
    name: 'gateway-timeouts',
    title: '5 % answer 504 to a tenth of their events',
    others: { share: PARTLY, behaviour: oftenGatewayTimeout },
  },
  ...(['pause', 'continue'] as const).map((onFatalError) => ({
    name: `refusing-${onFatalError}`,
    title: `5 % refuse 30 % of their events, \`${onFatalError}\``,
    others: { share: PARTLY, behaviour: oftenRefusing(500), onFatalError },
  })),
  {
    name: 'outage',
    title: `5 % are dead from minute ${BEGINS} on`,
    others: { share: PARTLY, behaviour: deadAfter(BEGINS) },
  },
  {
    name: 'flood',
    title: `one more has 2,000 events a second from minute ${BEGINS} on`,
    flood: { eventsPerSecond: 2_000, fromMinute: BEGINS, behaviour: healthy, confirms: 1 },
  },
  {
    name: 'dead-flood',
    title: `one more is dead and has 2,000 events a second from minute ${BEGINS} on`,
    flood: { eventsPerSecond: 2_000, fromMinute: BEGINS, behaviour: dead, confirms: 0 },
  },
  {
    name: 'slow-flood',
    title: `one more answers after 2 s and has 500 events a second from minute ${BEGINS} on`,
    flood: { eventsPerSecond: 500, fromMinute: BEGINS, behaviour: slow, confirms: 1 },
  },
  {
    name: 'flood-of-100-webhooks',
    title: `one more has 100 webhooks that answer after 0.9 s, and 30 events a second from minute ${BEGINS} on`,
    flood: {
      webhooks: 100,
      eventsPerSecond: 30,
      fromMinute: BEGINS,
      behaviour: leisurely,
      confirms: 1,
    },
  },
  {
    name: 'slow-beside-dead-flood',
    title: `5 % answer after 2 s, and one more is dead and has 2,000 events a second from minute ${BEGINS} on`,
    others: { share: PARTLY, behaviour: slow },
    flood: { eventsPerSecond: 2_000, fromMinute: BEGINS, behaviour: dead, confirms: 0 },
    tellsOthers: true,
  },
  ...[0.1, 0.17].flatMap((share) =>
    [300, 1_000].map((eventsPerSecond) => ({
      name: `hanging-${100 * share}-at-${eventsPerSecond}`,
      title: `5 % answer after 2 s, and one more has ${eventsPerSecond.toLocaleString('en')} events a second, of which ${percent(share)} time out, from minute ${BEGINS} on`,
      others: { share: PARTLY, behaviour: slow },
      flood: {
        eventsPerSecond,
        fromMinute: BEGINS,
        behaviour: oftenHanging(share),
        confirms: 1 - share,
      },
      tellsOthers: true as const,
    })),
  ),
  ...[422, 500].map((statusCode) => ({
    name: `refusing-flood-${statusCode}`,
    title: `one more has 50 events a second and answers ${statusCode} to 30 % of them, \`continue\`, for 75 minutes`,
    flood: {
      eventsPerSecond: 50,
      fromMinute: 0,
      behaviour: oftenRefusing(statusCode),
      onFatalError: 'continue' as const,
      confirms: 0.7,
    },
    minutes: 75,
  })),
];

export type Kind = 'healthy' | 'others' | 'flood';

const idOf = (number: number): string => `integration${number}`;

const URL_START = 'https://customer.example/';

export const numberAt = (url: string): number => Number(url.slice(URL_START.length));

/**
 * The integrations of a row, by number: the others are the first, the healthy follow, and those of
 * the flood are the last. Each of the others and of the healthy is the only one of its account:
 * routing then has the most to read.
 */
export class Population {
  /** How many there are without the flood. */
  readonly size: number;
  readonly row: Omit<Row, 'name' | 'title'>;
  readonly #others: number;
  readonly #areHealthyAlone: boolean;

  constructor(row: Population['row'], size: number, { healthyAlone = false } = {}) {
    this.row = row;
    this.size = size;
    this.#others = Math.round((row.others?.share ?? 0) * size);
    this.#areHealthyAlone = healthyAlone;
  }

  /** The healthy of the row, without the others and the flood, and without their events. */
  healthyAlone(): Population {
    return new Population(this.row, this.size, { healthyAlone: true });
  }

  kindOf(number: number): Kind {
    if (number >= this.size) return 'flood';
    return number < this.#others ? 'others' : 'healthy';
  }

  accountOf(number: number): string {
    return `account${Math.min(number, this.size)}`;
  }

  hasEvents(kind: Kind): boolean {
    return kind === 'healthy' || !(this.#areHealthyAlone || this.row[kind] === undefined);
  }

  behaviourOf(number: number): Behaviour {
    const kind = this.kindOf(number);
    return (kind === 'healthy' ? undefined : this.row[kind]?.behaviour) ?? healthy;
  }

  integrations(): Integration[] {
    const length = this.size + (this.row.flood?.webhooks ?? 1);
    return Array.from({ length }, (_, number) => this.#integrationOf(number));
  }

  #integrationOf(number: number): Integration {
    const key = { account: this.accountOf(number), id: idOf(number) };
    const config = aConfig({ baseUrl: `${URL_START}${number}` }, key);
    const integration = anIntegration({ ...key, config });
    const kind = this.kindOf(number);
    const { onFatalError } = (kind === 'healthy' ? undefined : this.row[kind]) ?? {};
    if (onFatalError === undefined) return integration;
    return { ...integration, settings: { ...integration.settings, onFatalError } };
  }
}
