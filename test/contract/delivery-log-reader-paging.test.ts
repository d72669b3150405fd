import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OutcomeClass } from '../../core/delivery/attempt.ts';
import type { DeliveryFilter } from '../../core/delivery/delivery-log-reader.ts';
import { EVENT_TYPES, type EventType } from '../../core/event/event-types.ts';
import { cursorAt } from '../../core/json-ld/cursor.ts';
import {
  describeDeliveryLogs,
  idsOf,
  pastNoon,
  type WrittenDeliveryLog,
  walk,
} from '../support/adapters/delivery-logs.ts';
import { anAttempt } from '../support/delivery/attempts.ts';
import { answered } from '../support/delivery/scripted-webhook-endpoint.ts';
import { aDelivery } from '../support/event/platform-events.ts';

const INTEGRATION = aDelivery().integration;
const STATUS_OF: Record<OutcomeClass, number> = { delivered: 200, transient: 504, fatal: 500 };
const OUTCOMES = [undefined, 'delivered', 'transient', 'fatal'] as const;

interface Sent {
  readonly event: { id: string; type: EventType; occurredAt: string };
  readonly outcome: OutcomeClass | undefined;
}

/** Two events for each minute. */
const SENT: readonly Sent[] = Array.from({ length: 60 }, (_, index) => ({
  event: {
    id: `evt_${String(index).padStart(2, '0')}`,
    type: EVENT_TYPES[(index * 7) % 3] ?? 'message.received',
    occurredAt: pastNoon(Math.floor(index / 2)).toISOString(),
  },
  outcome: OUTCOMES[(index * 5) % 11] ?? undefined,
})).toReversed();

const matches = (
  { isDelivered, outcome, eventType, since, until }: DeliveryFilter,
  sent: Sent,
): boolean =>
  (isDelivered === undefined || isDelivered === (sent.outcome === 'delivered')) &&
  (outcome === undefined || outcome === sent.outcome) &&
  (eventType === undefined || eventType === sent.event.type) &&
  (since === undefined || sent.event.occurredAt >= since.toISOString()) &&
  (until === undefined || sent.event.occurredAt < until.toISOString());

const expected = (filter: DeliveryFilter) =>
  SENT.filter((sent) => matches(filter, sent)).map(({ event }) => event.id);

const minute = fc.integer({ min: -1, max: 31 }).map(pastNoon);
const anyFilter: fc.Arbitrary<DeliveryFilter> = fc
  .record(
    {
      isDelivered: fc.boolean(),
      outcome: fc.constantFrom<OutcomeClass>('delivered', 'transient', 'fatal'),
      eventType: fc.constantFrom(...EVENT_TYPES.slice(0, 4)),
      since: minute,
      until: minute,
    },
    { requiredKeys: [] },
  )
  .filter(({ since, until }) => since === undefined || until === undefined || since < until);

describeDeliveryLogs((create) => {
  describe('page by page', () => {
    let log: WrittenDeliveryLog;
    beforeAll(async () => {
      log = await create();
      await log.open(...SENT.map(({ event }) => aDelivery({ event })));
      const attempts = SENT.flatMap(({ event, outcome }) =>
        outcome === undefined ? [] : [anAttempt({ event }, answered(STATUS_OF[outcome]))],
      );
      await log.record(...attempts);
    });

    const newest = (filter: DeliveryFilter, limit: number, page: { after?: string } = {}) =>
      log.reader.newest(INTEGRATION, { filter, limit, ...page });

    it('gives the whole of any list, in order, each once, with any limit', async () => {
      const anyLimit = fc.integer({ min: 1, max: 100 });
      await fc.assert(
        fc.asyncProperty(anyFilter, anyLimit, async (filter, limit) => {
          const pages = await walk((after) => newest(filter, limit, after));
          expect(pages.every(({ deliveries }) => deliveries.length <= limit)).toBe(true);
          expect(pages.flatMap(idsOf)).toEqual(expected(filter));
        }),
        { numRuns: 30 },
      );
    });

    it('gives a recovery everything that was not delivered, with any limit', async () => {
      const missed = SENT.filter(({ outcome }) => outcome !== 'delivered').toReversed();
      const anyLimit = fc.integer({ min: 1, max: 100 });
      await fc.assert(
        fc.asyncProperty(minute, anyLimit, async (since, limit) => {
          const pages = await walk((after) =>
            log.reader.undelivered(INTEGRATION, { since, limit, ...after }),
          );
          const due = missed.filter(({ event }) => event.occurredAt >= since.toISOString());
          expect(pages.flatMap(idsOf)).toEqual(due.map(({ event }) => event.id));
        }),
        { numRuns: 20 },
      );
    });

    it('ends with the page that has the last one', async () => {
      const pages = await walk((after) => newest({}, SENT.length / 2, after));
      expect(pages).toHaveLength(2);
    });

    it('goes on from the cursor of a page with other filters', async () => {
      const anywhere = fc.constantFrom(...SENT);
      await fc.assert(
        fc.asyncProperty(anywhere, anyFilter, async ({ event }, filter) => {
          const after = cursorAt(`${event.occurredAt}#${event.id}`);
          const rest = SENT.slice(SENT.findIndex((sent) => sent.event === event) + 1);
          const due = rest.filter((sent) => matches(filter, sent));
          expect(idsOf(await newest(filter, 100, { after }))).toEqual(
            due.map((sent) => sent.event.id),
          );
        }),
        { numRuns: 30 },
      );
    });

    it('lets a recovery go on from a cursor before its time', async () => {
      const after = cursorAt(`${pastNoon(0).toISOString()}#evt_00`);
      const since = pastNoon(29);
      const page = await log.reader.undelivered(INTEGRATION, { since, limit: 100, after });
      expect(page).toEqual(await log.reader.undelivered(INTEGRATION, { since, limit: 100 }));
    });

    it('neither skips nor repeats deliveries while others are sent', async () => {
      const other = await create();
      const sent = [1, 2, 3, 4].map((id) =>
        aDelivery({ event: { id: `${id}`, type: 'contact.created', occurredAt: isoAt(id) } }),
      );
      await other.open(...sent);
      const page = { filter: {}, limit: 2 };
      const first = await other.reader.newest(INTEGRATION, page);
      await other.open(
        aDelivery({ event: { id: '5', type: 'contact.created', occurredAt: isoAt(5) } }),
      );
      const second = await other.reader.newest(INTEGRATION, { ...page, after: first.next ?? '' });
      expect([first, second].map(idsOf)).toEqual([
        ['4', '3'],
        ['2', '1'],
      ]);
    });
  });
});

const isoAt = (minutes: number) => pastNoon(minutes).toISOString();
