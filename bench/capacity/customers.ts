import type { PostResult } from '../../core/delivery/attempt.ts';
import type { Integration, IntegrationKey } from '../../core/integration/integration.ts';
import type { OnFatalError } from '../../core/integration/settings.ts';
import { limits } from '../../lib/limits.ts';
import type { Random } from '../../test/simulation/chance.ts';
import { aConfig } from '../../test/support/integration/in-memory-secrets.ts';
import { anIntegration } from '../../test/support/integration/integrations.ts';

/** What an endpoint does with an attempt of an event, in the warm-up or after it. */
export type Behaviour = (attempt: { event: number; isWarm: boolean; random: Random }) => {
  readonly result: PostResult;
  readonly tookMs: number;
};

const answering = (statusCode: number): PostResult => ({
  kind: 'answered',
  statusCode,
  responseStart: '',
});

const OK = answering(200);
const REFUSED = answering(500);
const TIMED_OUT: PostResult = { kind: 'unanswered', reason: 'response-timeout' };

const confirming =
  (leastMs: number): Behaviour =>
  ({ random }) => ({ result: OK, tookMs: leastMs + random.below(100) });

/** 100 ms on average, as the page about capacity takes it. */
const healthy = confirming(50);
/** 0.9 s on average: not slow, so that the integration stays in the fast lane. */
const leisurely = confirming(850);
const slow: Behaviour = () => ({ result: OK, tookMs: 2_000 });
const dead: Behaviour = () => ({ result: TIMED_OUT, tookMs: limits.attempt.responseTimeoutMs });
const deadOnceWarm: Behaviour = (attempt) => (attempt.isWarm ? dead : healthy)(attempt);
const refusing: Behaviour = (attempt) => ({ ...healthy(attempt), result: REFUSED });

/** The same for every attempt of an event: an endpoint that dislikes an event always does. */
const forSome =
  (share: number, behaviour: Behaviour): Behaviour =>
  (attempt) => {
    const isAmong = (Math.imul(attempt.event, 0x9e3779b1) >>> 0) / 2 ** 32 < share;
    return (isAmong ? behaviour : healthy)(attempt);
  };

interface Customers {
  readonly behaviour: Behaviour;
  readonly onFatalError?: OnFatalError;
}

/** A row of the table: who is beside the healthy customers. */
export interface Row {
  readonly name: string;
  readonly title: string;
  /** Instead of the first of the integrations, with the events that those would have anyway. */
  readonly others?: Customers & { readonly share: number };
  /** One more customer, with so many events a second after the warm-up. */
  readonly flood?: Customers & {
    /** How many integrations get each event; one, unless given. */
    readonly webhooks?: number;
    readonly eventsPerSecond: number;
  };
  /** Every endpoint counts as fast. */
  readonly hasNoSlowLane?: true;
}

export const ALONE: Row = { name: 'alone', title: 'nobody else' };

const DEAD = { behaviour: dead, share: 0.05 };

export const ROWS: readonly Row[] = [
  { name: 'dead-5', title: '5 % time out after 15 s', others: DEAD },
  {
    name: 'no-slow-lane',
    title: 'the same without a slow lane',
    others: DEAD,
    hasNoSlowLane: true,
  },
  { name: 'dead-20', title: '20 % time out after 15 s', others: { ...DEAD, share: 0.2 } },
  {
    name: 'outage',
    title: '5 % begin to time out after the warm-up',
    others: { share: 0.05, behaviour: deadOnceWarm },
  },
  { name: 'slow-20', title: '20 % answer after 2 s', others: { share: 0.2, behaviour: slow } },
  {
    name: 'refusing',
    title: '5 % refuse 30 % of their events, `continue`',
    others: { share: 0.05, behaviour: forSome(0.3, refusing), onFatalError: 'continue' },
  },
  {
    name: 'flood',
    title: 'one more has 2,000 events a second',
    flood: { eventsPerSecond: 2_000, behaviour: healthy },
  },
  {
    name: 'dead-flood',
    title: 'one more has 2,000 events a second and is dead',
    flood: { eventsPerSecond: 2_000, behaviour: dead },
  },
  {
    name: 'slow-flood',
    title: 'one more has 500 events a second and answers after 2 s',
    flood: { eventsPerSecond: 500, behaviour: slow },
  },
  {
    name: 'flood-of-100-webhooks',
    title: 'one more has 30 events a second for 100 webhooks that answer after 0.9 s',
    flood: { webhooks: 100, eventsPerSecond: 30, behaviour: leisurely },
  },
];

const URL_START = 'https://customer.example/';

export const numberAt = (url: string): number => Number(url.slice(URL_START.length));

const idOf = (number: number): string => `integration${number}`;

/**
 * The integrations of a row, by number: the others are the first, the healthy follow, and those of
 * the flood are the last. Each of the others and of the healthy is the only one of its account:
 * routing then has the most to read.
 */
export class Population {
  readonly row: Row;
  /** How many there are without the flood. */
  readonly size: number;

  constructor(row: Row, size: number) {
    this.row = row;
    this.size = size;
  }

  kindOf(number: number): 'healthy' | 'others' | 'flood' {
    if (number >= this.size) return 'flood';
    return number < (this.row.others?.share ?? 0) * this.size ? 'others' : 'healthy';
  }

  accountOf(number: number): string {
    return `account${Math.min(number, this.size)}`;
  }

  keysOf(account: string): IntegrationKey[] {
    const first = Number(account.slice('account'.length));
    const length = first === this.size ? (this.row.flood?.webhooks ?? 1) : 1;
    return Array.from({ length }, (_, index) => ({ account, id: idOf(first + index) }));
  }

  behaviourOf(number: number): Behaviour {
    return this.#customersAt(number)?.behaviour ?? healthy;
  }

  integrations(): Integration[] {
    const length = this.size + (this.row.flood?.webhooks ?? 1);
    return Array.from({ length }, (_, number) => {
      const key = { account: this.accountOf(number), id: idOf(number) };
      const config = aConfig({ baseUrl: `${URL_START}${number}` }, key);
      const integration = anIntegration({ ...key, config });
      const { onFatalError = integration.settings.onFatalError } = this.#customersAt(number) ?? {};
      return { ...integration, settings: { ...integration.settings, onFatalError } };
    });
  }

  #customersAt(number: number): Customers | undefined {
    const kind = this.kindOf(number);
    return kind === 'healthy' ? undefined : this.row[kind];
  }
}
