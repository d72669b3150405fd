import { describe, expect, it } from 'vitest';
import { DynamoDbDeliveryLogReader } from '../../adapters/dynamodb/dynamodb-delivery-log-reader.ts';
import { idsOf, inTable, pastNoon, walk } from '../support/adapters/delivery-logs.ts';
import { useTables } from '../support/adapters/use-tables.ts';
import { anAttempt } from '../support/delivery/attempts.ts';
import { answered } from '../support/delivery/scripted-webhook-endpoint.ts';
import { aDelivery, anEventReference } from '../support/event/platform-events.ts';

const DAY_MS = 86_400_000;
const EVENT = anEventReference('evt_1');
const DELIVERY = aDelivery({ event: EVENT });
const { integration: INTEGRATION } = DELIVERY;

const daysLater = (days: number) => new Date(pastNoon(0).getTime() + days * DAY_MS);

describe('the delivery log in a table', () => {
  const tables = useTables();

  const create = async () => {
    const clock = { now: pastNoon(0) };
    const log = await inTable(tables, { now: () => clock.now });
    return { clock, ...log };
  };

  const all = { filter: {}, limit: 100 };

  it('shows nothing of what has expired and is not deleted yet', async () => {
    const { clock, reader, open, record } = await create();
    await open(DELIVERY);
    await record(anAttempt({ event: EVENT }, answered(500)));
    const found = await reader.find(INTEGRATION, 'evt_1');
    if (found === undefined) throw new Error('the delivery is not there');
    clock.now = new Date(daysLater(30).getTime() - 1);
    expect(idsOf(await reader.newest(INTEGRATION, all))).toEqual(['evt_1']);
    expect(await reader.bodyOf(found)).toBe(DELIVERY.body);
    clock.now = daysLater(30);
    expect(await reader.newest(INTEGRATION, all)).toEqual({ deliveries: [] });
    const recovery = { since: pastNoon(0), limit: 100 };
    expect(await reader.undelivered(INTEGRATION, recovery)).toEqual({ deliveries: [] });
    expect(await reader.find(INTEGRATION, 'evt_1')).toBeUndefined();
    expect(await reader.attemptsOf(found)).toEqual([]);
    expect(await reader.bodyOf(found)).toBeUndefined();
  });

  it('shows a delivery as long as its latest attempt, with its body', async () => {
    const { clock, reader, open, record } = await create();
    await open(DELIVERY);
    const attempt = anAttempt({ event: EVENT, startedAt: daysLater(20) }, answered(500));
    await record(attempt);
    clock.now = daysLater(40);
    const found = await reader.find(INTEGRATION, 'evt_1');
    expect(found?.latestAttempt).toEqual(attempt);
    expect(found && (await reader.bodyOf(found))).toBe(DELIVERY.body);
    expect(found && (await reader.attemptsOf(found))).toEqual([attempt]);
  });

  it('answers a filter that nearly nothing passes with short pages, and finds everything', async () => {
    const { reader, open } = await create();
    const rare = [0, 2_199, 2_200, 2_399];
    const deliveries = Array.from({ length: 2_400 }, (_, index) =>
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
      reader.newest(INTEGRATION, { filter: { eventType: 'contact.created' }, limit: 3, ...after }),
    );
    expect(pages.flatMap(idsOf)).toEqual(rare.map((index) => `evt_${index}`));
    expect(pages[0]).toMatchObject({ deliveries: [{}], next: expect.any(String) });
  });

  it('tells of a table that does not exist', async () => {
    const { client } = tables;
    const reader = new DynamoDbDeliveryLogReader(client, 'no-such-table', {
      now: () => new Date(0),
    });
    await expect(reader.newest(INTEGRATION, all)).rejects.toThrow();
    await expect(reader.find(INTEGRATION, 'evt_1')).rejects.toThrow();
    await expect(reader.attemptsOf(DELIVERY)).rejects.toThrow();
  });
});
