import type { OnFatalError } from '../../../core/integration/integration.ts';
import {
  type Behaviour,
  dead,
  deadAfter,
  healthy,
  oftenGatewayTimeout,
  oftenRefusing,
  slow,
} from './endpoints.ts';

/** A row of the table: who is beside the healthy customers. */
export interface Row {
  readonly name: string;
  readonly title: string;
  /** Instead of the first of the integrations, with the events that those would have anyway. */
  readonly others?: Customers & { readonly share: number };
  /** One more integration, with so many events a second from a minute on. */
  readonly flood?: Customers & { readonly eventsPerSecond: number; readonly fromMinute: number };
  /** Whether the waits of the others are of interest, because they are to be attempted at once. */
  readonly tellsOthers?: true;
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
    others: { share: PARTLY, behaviour: oftenRefusing, onFatalError },
  })),
  {
    name: 'outage',
    title: `5 % are dead from minute ${BEGINS} on`,
    others: { share: PARTLY, behaviour: deadAfter(BEGINS) },
  },
  {
    name: 'flood',
    title: `one more has 2,000 events a second from minute ${BEGINS} on`,
    flood: { eventsPerSecond: 2_000, fromMinute: BEGINS, behaviour: healthy },
  },
  {
    name: 'dead-flood',
    title: `one more is dead and has 2,000 events a second from minute ${BEGINS} on`,
    flood: { eventsPerSecond: 2_000, fromMinute: BEGINS, behaviour: dead },
  },
  {
    name: 'slow-flood',
    title: `one more answers after 2 s and has 500 events a second from minute ${BEGINS} on`,
    flood: { eventsPerSecond: 500, fromMinute: BEGINS, behaviour: slow },
  },
  {
    name: 'slow-beside-dead-flood',
    title: `5 % answer after 2 s, and one more is dead and has 2,000 events a second from minute ${BEGINS} on`,
    others: { share: PARTLY, behaviour: slow },
    flood: { eventsPerSecond: 2_000, fromMinute: BEGINS, behaviour: dead },
    tellsOthers: true,
  },
];
