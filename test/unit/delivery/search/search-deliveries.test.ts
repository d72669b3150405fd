import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type {
  DeliveryFilter,
  DeliveryPage,
} from '../../../../core/delivery/delivery-log-reader.ts';
import { buildSearchDeliveries } from '../../../../core/delivery/search/search-deliveries.ts';
import type { Integration } from '../../../../core/integration/integration.ts';
import { cursorAt } from '../../../../core/json-ld/cursor.ts';
import { idsOf, walk } from '../../../support/adapters/delivery-logs.ts';
import { InMemoryDeliveryIndex } from '../../../support/delivery/in-memory-delivery-index.ts';
import { InMemoryDeliveryLog } from '../../../support/delivery/in-memory-delivery-log.ts';
import { aStreamedDelivery } from '../../../support/delivery/streamed-deliveries.ts';
import { aDelivery } from '../../../support/event/platform-events.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { refusalOf } from '../../../support/refusals.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const INTEGRATION = anIntegration();
const { account, id } = INTEGRATION;
/** 100 integrations, as many as an account may have. */
const HUNDRED = Array.from({ length: 100 }, (_, number) => `${number}`.padStart(12, 'hook0'));

interface Sent {
  readonly event: string;
  readonly daysAgo: number;
  readonly subject?: string;
  readonly to?: string;
}

const occurredAt = ({ daysAgo }: Pick<Sent, 'daysAgo'>): string =>
  new Date(NOW.getTime() - daysAgo * 86_400_000).toISOString();

const searchOver = async (
  sent: readonly Sent[],
  index = new InMemoryDeliveryIndex(),
  others: readonly Integration[] = [],
) => {
  const log = new InMemoryDeliveryLog();
  for (const { event, subject = 'msg_1', to = id, ...when } of sent) {
    const reference = { id: event, occurredAt: occurredAt(when) };
    const body = JSON.stringify({ data: { message: { id: subject } } });
    const type = 'message.received' as const;
    await log.list([aDelivery({ integration: to, event: { ...reference, type }, body })]);
    await index.add('1', [aStreamedDelivery({ integration: to, subject, event: reference })]);
  }
  const integrations = new InMemoryIntegrations(INTEGRATION, ...others);
  const search = buildSearchDeliveries({
    ...{ integrations, index, deliveryLogReader: log },
    now: () => NOW,
  });
  const page = (limit: number, filter: DeliveryFilter = {}, about = 'msg_1', integration = id) =>
    walk((after) =>
      search({ account, ...(integration && { integration }), about, filter, limit, ...after }),
    );
  const all = async (...given: Parameters<typeof page>) => (await page(...given)).flatMap(idsOf);
  return { search, page, all, index, log };
};

describe('a search for the deliveries of a message', () => {
  it('finds them newest first, however old, and no others', async () => {
    const { all } = await searchOver([
      { event: 'evt_old', daysAgo: 55 },
      { event: 'evt_other', daysAgo: 1, subject: 'msg_2' },
      { event: 'evt_future', daysAgo: -3 },
      { event: 'evt_new', daysAgo: 0 },
      { event: 'evt_middle', daysAgo: 7 },
    ]);

    expect(await all(20)).toEqual(['evt_future', 'evt_new', 'evt_middle', 'evt_old']);
  });

  it('lists each delivery once, in order, with any limit and period', async () => {
    const someSent = fc.uniqueArray(
      fc.record({
        event: fc.integer({ min: 0, max: 99 }).map((number) => `evt_${number}`),
        // Several at one instant.
        daysAgo: fc.integer({ min: -2, max: 40 }),
        subject: fc.constantFrom('msg_1', 'msg_1', 'msg_2'),
      }),
      { selector: ({ event }) => event, maxLength: 60 },
    );
    const day = fc.option(fc.integer({ min: -3, max: 41 }), { nil: undefined });
    const limit = fc.integer({ min: 1, max: 10 });
    await fc.assert(
      fc.asyncProperty(someSent, limit, day, day, fc.boolean(), async (sent, max, a, b, isBig) => {
        const [since, until] = [a, b].map((daysAgo) =>
          daysAgo === undefined ? undefined : new Date(occurredAt({ daysAgo })),
        );
        const bytesOfEntry = isBig ? 30_000_000 : 11;
        const { page } = await searchOver(sent, new InMemoryDeliveryIndex({ bytesOfEntry }));
        const pages = await page(max, { ...(since && { since }), ...(until && { until }) });
        const expected = sent
          .filter((one) => one.subject === 'msg_1')
          .map((one) => ({ id: one.event, at: occurredAt(one) }))
          .filter(({ at }) => !(since && at < since.toISOString()))
          .filter(({ at }) => !(until && at >= until.toISOString()))
          .toSorted((one, other) => (`${one.at}#${one.id}` < `${other.at}#${other.id}` ? 1 : -1));
        expect(pages.every(({ deliveries }) => deliveries.length <= max)).toBe(true);
        expect(pages.flatMap(idsOf)).toEqual(expected.map((one) => one.id));
      }),
      { numRuns: 100 },
    );
  });

  it('ends, also from an instant before 1970 on', async () => {
    const { page } = await searchOver([{ event: 'evt_1', daysAgo: 0 }]);
    const pages = await page(10, { since: new Date('1969-12-31T23:00:00.000Z') });
    expect(pages.flatMap(idsOf)).toEqual(['evt_1']);
  });

  it('leaves out what the log lacks, or has of another message', async () => {
    const { all, index, log } = await searchOver([{ event: 'evt_1', daysAgo: 0 }]);
    const event = { id: 'evt_2', occurredAt: occurredAt({ daysAgo: 0 }) };
    await log.list([aDelivery({ integration: id, event: { ...event, type: 'message.received' } })]);
    const at = (daysAgo: number) => ({ id: 'evt_9', occurredAt: occurredAt({ daysAgo }) });
    await index.add('1', [
      aStreamedDelivery({ integration: id, event }),
      aStreamedDelivery({ integration: id, event: at(3) }),
    ]);

    expect(await all(20)).toEqual(['evt_1']);
  });

  it('keeps the filters', async () => {
    const { all } = await searchOver([{ event: 'evt_1', daysAgo: 0 }]);

    expect(await all(20, { eventType: 'message.failed' })).toEqual([]);
    expect(await all(20, { eventType: 'message.received' })).toEqual(['evt_1']);
  });

  it('ends a page after enough of the index, and goes on with older days', async () => {
    const sent = [0, 1, 2, 5].map((daysAgo) => ({ event: `evt_${daysAgo}`, daysAgo }));
    const index = new InMemoryDeliveryIndex({ bytesOfEntry: 15_000_000 });
    const { page } = await searchOver(sent, index);

    const pages = await page(20);

    expect(pages.map(idsOf)).toEqual([['evt_0', 'evt_1'], ['evt_2', 'evt_5'], []]);
    expect(
      index.reads.every(
        ({ from }, read) => read === 0 || from < (index.reads[read - 1]?.from ?? 0),
      ),
    ).toBe(true);
  });

  it('ends a page after 400 instants, and goes on with older ones', async () => {
    const sent = Array.from({ length: 450 }, (_, number) => ({
      event: `evt_${number}`,
      daysAgo: number / 100_000,
    }));
    const { page } = await searchOver(sent);

    const pages = await page(100, { outcome: 'fatal' });

    expect(pages.map(idsOf)).toEqual([[], []]);
  });

  it('reads a month in a few steps, of which each has twice the days', async () => {
    const { all, index } = await searchOver([]);
    await all(20);

    expect(index.reads.slice(1, 5).map(({ from, to }) => to - from + 1)).toEqual([2, 4, 8, 16]);
    expect(index.reads[5]).toEqual({ from: 0, to: (index.reads[4]?.from ?? 0) - 1 });
    expect(index.reads).toHaveLength(6);
  });

  it('reads today first, and day by day while a day is large', async () => {
    const sent = [0, 1, 2].map((daysAgo) => ({ event: `evt_${daysAgo}`, daysAgo }));
    const { all, index } = await searchOver(
      sent,
      new InMemoryDeliveryIndex({ bytesOfEntry: 3_000_000 }),
    );
    await all(20);

    const today = Math.floor(NOW.getTime() / 86_400_000);
    expect(index.reads.slice(0, 3).map(({ from }) => today - from)).toEqual([0, 1, 2]);
  });

  it('finds the delivery of an event by its id, whatever the filters', async () => {
    const { all, index } = await searchOver([
      { event: 'evt_1', daysAgo: 3 },
      { event: 'evt_2', daysAgo: 0 },
    ]);

    expect(await all(20, { eventType: 'message.failed' }, 'evt_1')).toEqual(['evt_1']);
    expect(index.reads).toEqual([]);
  });

  it('is refused for an integration that does not exist', async () => {
    const { search } = await searchOver([]);
    const of = { account, integration: 'another00000' };

    expect(
      await refusalOf(() => search({ ...of, about: 'msg_1', filter: {}, limit: 1 })),
    ).toMatchObject({ kind: 'not-found' });
  });
});

describe('a search of all integrations of an account', () => {
  const integrations = HUNDRED.map((each) => anIntegration({ id: each }));
  const refsOf = (pages: readonly DeliveryPage[]) =>
    pages
      .flatMap(({ deliveries }) => deliveries)
      .map((each) => `${each.integration} ${each.event.id}`);
  const allOf = (refs: readonly string[]) => refs.toSorted().toReversed();

  it.each([1, 7, 20, 100])('finds each of 100 once, in pages of %i', async (limit) => {
    const sent = HUNDRED.map((to) => ({ event: 'evt_1', daysAgo: 1, to }));
    const { page } = await searchOver(sent, undefined, integrations);
    const expected = allOf(HUNDRED.map((to) => `${to} evt_1`));

    for (const about of ['msg_1', 'evt_1']) {
      const pages = await page(limit, {}, about, '');
      expect(refsOf(pages)).toEqual(expected);
      expect(pages.every(({ deliveries }) => deliveries.length <= limit)).toBe(true);
    }
  });

  it('looks up a page of an event with 100 deliveries, not all of them', async () => {
    const sent = HUNDRED.map((to) => ({ event: 'evt_1', daysAgo: 1, to }));
    const { page, log } = await searchOver(sent, undefined, integrations);
    const at = vi.spyOn(log, 'at');

    await page(20, {}, 'msg_1', '');

    // Five pages, of each of which the last step may look up 15 more than it shows.
    expect(at.mock.calls.length).toBeLessThanOrEqual(5 * 35);
  });

  it('lists any deliveries once, newest first, with any limit', async () => {
    const some = HUNDRED.slice(0, 4);
    const someSent = fc.uniqueArray(
      fc.record({
        event: fc.integer({ min: 0, max: 9 }).map((number) => `evt_${number}`),
        to: fc.constantFrom(id, ...some),
        daysAgo: fc.integer({ min: -1, max: 5 }),
        subject: fc.constantFrom('msg_1', 'msg_1', 'msg_2'),
      }),
      { selector: ({ event, to }) => `${event} ${to}`, maxLength: 50 },
    );
    const limit = fc.integer({ min: 1, max: 10 });
    await fc.assert(
      fc.asyncProperty(someSent, limit, async (sent, max) => {
        const { page } = await searchOver(sent, undefined, integrations);
        const expected = sent
          .filter(({ subject }) => subject === 'msg_1')
          .map((each) => [
            `${occurredAt(each)} ${each.to} ${each.event}`,
            `${each.to} ${each.event}`,
          ])
          .toSorted(([one = ''], [other = '']) => (one < other ? 1 : -1))
          .map(([, ref]) => ref);
        expect(refsOf(await page(max, {}, 'msg_1', ''))).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  it('finds an event that was stamped anew at both of its times', async () => {
    const [first = '', second = ''] = HUNDRED;
    const { page } = await searchOver(
      [
        { event: 'evt_1', daysAgo: 2, to: first },
        { event: 'evt_1', daysAgo: 0, to: second },
      ],
      undefined,
      integrations,
    );
    const expected = [`${second} evt_1`, `${first} evt_1`];

    expect(refsOf(await page(1, {}, 'evt_1', ''))).toEqual(expected);
    expect(refsOf(await page(1, {}, 'msg_1', ''))).toEqual(expected);
  });

  it('leaves out a deleted integration, and that of another account', async () => {
    const sent = ['deleted00000', 'elsewhere000', id].map((to) => ({
      event: 'evt_1',
      daysAgo: 0,
      to,
    }));
    const elsewhere = anIntegration({ id: 'elsewhere000', account: 'globex' });
    const { page } = await searchOver(sent, undefined, [elsewhere]);

    for (const about of ['msg_1', 'evt_1']) {
      expect(refsOf(await page(20, {}, about, ''))).toEqual([`${id} evt_1`]);
    }
  });

  it('refuses the cursor of another list', async () => {
    const { search } = await searchOver([{ event: 'evt_1', daysAgo: 0 }]);
    const after = cursorAt(`${NOW.toISOString()}#evt_1`);

    expect(
      await refusalOf(() => search({ account, about: 'msg_1', filter: {}, limit: 1, after })),
    ).toMatchObject({ kind: 'validation', faults: [{ parameter: 'cursor' }] });
  });
});
