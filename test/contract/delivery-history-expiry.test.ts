import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamoDbDeliveryHistory } from '../../adapters/dynamodb/dynamodb-delivery-history.ts';
import { anAttempt } from '../support/attempts.ts';
import { idsOf, inTable, pastNoon, walk } from '../support/delivery-histories.ts';
import { type EmulatedTables, startTables } from '../support/emulated-tables.ts';
import { aDelivery, anEventReference } from '../support/platform-events.ts';
import { answered } from '../support/scripted-webhook-endpoint.ts';

const DAY_MS = 86_400_000;
const EVENT = anEventReference('evt_1');
const DELIVERY = aDelivery({ event: EVENT });
const { integration: INTEGRATION } = DELIVERY;

const daysLater = (days: number) => new Date(pastNoon(0).getTime() + days * DAY_MS);

describe('the delivery log in a table', () => {
  let tables: EmulatedTables;
  beforeAll(async () => {
    tables = await startTables();
  });
  afterAll(() => tables.stop());

  const create = async () => {
    const clock = { now: pastNoon(0) };
    const log = await inTable(tables, { now: () => clock.now });
    return { clock, ...log };
  };

  const all = { filter: {}, limit: 100 };

  it('shows nothing of what has expired and is not deleted yet', async () => {
    const { clock, history, open, record } = await create();
    await open(DELIVERY);
    await record(anAttempt({ event: EVENT }, answered(500)));
    const found = await history.find(INTEGRATION, 'evt_1');
    if (found === undefined) throw new Error('the delivery is not there');
    clock.now = new Date(daysLater(30).getTime() - 1);
    expect(idsOf(await history.newest(INTEGRATION, all))).toEqual(['evt_1']);
    expect(await history.bodyOf(found)).toBe(DELIVERY.body);
    clock.now = daysLater(30);
    expect(await history.newest(INTEGRATION, all)).toEqual({ deliveries: [] });
    const recovery = { since: pastNoon(0), limit: 100 };
    expect(await history.undelivered(INTEGRATION, recovery)).toEqual({ deliveries: [] });
    expect(await history.find(INTEGRATION, 'evt_1')).toBeUndefined();
    expect(await history.attemptsOf(INTEGRATION, 'evt_1')).toEqual([]);
    expect(await history.bodyOf(found)).toBeUndefined();
  });

  it('shows a delivery as long as its latest attempt, though its body is gone', async () => {
    const { clock, history, open, record } = await create();
    await open(DELIVERY);
    const attempt = anAttempt({ event: EVENT, startedAt: daysLater(20) }, answered(500));
    await record(attempt);
    clock.now = daysLater(40);
    const found = await history.find(INTEGRATION, 'evt_1');
    expect(found?.latestAttempt).toEqual(attempt);
    expect(found && (await history.bodyOf(found))).toBeUndefined();
    expect(await history.attemptsOf(INTEGRATION, 'evt_1')).toEqual([attempt]);
  });

  it('answers a filter that nearly nothing passes with short pages, and finds everything', async () => {
    const { history, open } = await create();
    const rare = [0, 999, 1_000, 1_499];
    const deliveries = Array.from({ length: 1_500 }, (_, index) =>
      aDelivery({
        event: {
          id: `evt_${index}`,
          type: rare.includes(index) ? 'contact.created' : 'message.received',
          occurredAt: pastNoon(-index).toISOString(),
        },
      }),
    );
    // As many at a time as are written well within the time that listing has.
    for (let from = 0; from < deliveries.length; from += 100) {
      await open(...deliveries.slice(from, from + 100));
    }
    const pages = await walk((after) =>
      history.newest(INTEGRATION, { filter: { eventType: 'contact.created' }, limit: 3, ...after }),
    );
    expect(pages.flatMap(idsOf)).toEqual(rare.map((index) => `evt_${index}`));
    expect(pages[0]).toMatchObject({ deliveries: [{}], next: expect.any(String) });
  });

  it('tells of a table that does not exist', async () => {
    const { client } = tables;
    const history = new DynamoDbDeliveryHistory(client, 'no-such-table', {
      now: () => new Date(0),
    });
    await expect(history.newest(INTEGRATION, all)).rejects.toThrow();
    await expect(history.find(INTEGRATION, 'evt_1')).rejects.toThrow();
    await expect(history.attemptsOf(INTEGRATION, 'evt_1')).rejects.toThrow();
  });
});
