import { randomBytes } from 'node:crypto';
import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { DynamoDbDeliveryLogReader } from '../../adapters/dynamodb/delivery-log/delivery-log-reader.ts';
import { partitionNumberOf } from '../../adapters/dynamodb/table/stored-deliveries.ts';
import type { Attempt, PostResult } from '../../core/delivery/attempt.ts';
import {
  describeDeliveryLogs,
  idsOf,
  inTable,
  pastNoon,
  walk,
} from '../support/adapters/delivery-logs.ts';
import { anAttempt } from '../support/delivery/attempts.ts';
import { answered, redirecting } from '../support/delivery/scripted-webhook-endpoint.ts';
import { aDelivery, anEventReference } from '../support/event/platform-events.ts';

const EVENT = anEventReference('evt_1');
const DELIVERY = aDelivery({ event: EVENT });
const { account, integration: INTEGRATION } = DELIVERY;
const LISTED = { account, integration: INTEGRATION, event: EVENT };

const attempt = (number: number, result: PostResult, overrides: Partial<Attempt> = {}) =>
  anAttempt({ event: EVENT, number, startedAt: pastNoon(number), ...overrides }, result);

describeDeliveryLogs((create) => {
  it('finds a delivery by its event, of one integration', async () => {
    const { reader, open } = await create();
    await open(DELIVERY, aDelivery({ event: anEventReference('evt_11') }));
    await open(aDelivery({ event: EVENT, integration: 'another00000' }));
    expect(await reader.find(INTEGRATION, 'evt_1')).toEqual(LISTED);
    expect(await reader.find(INTEGRATION, 'evt_')).toBeUndefined();
    expect(await reader.find('unknown00000', 'evt_1')).toBeUndefined();
  });

  it('finds one that was never opened by its attempts, and has no body of it', async () => {
    const { reader, record } = await create();
    await record(attempt(1, answered(200, 'OK')));
    expect(await reader.find(INTEGRATION, 'evt_1')).toEqual({
      ...LISTED,
      deliveredAt: expect.any(String),
      latestAttempt: attempt(1, answered(200)),
    });
    expect(await reader.bodyOf(LISTED)).toBeUndefined();
  });

  it('has the body byte for byte', async () => {
    const { reader, open } = await create();
    const body = '{"data":{"text":"Grüße 👋 \\n <&>\\u0000"}}';
    await open({ ...DELIVERY, body });
    expect(await reader.bodyOf(LISTED)).toBe(body);
  });

  it('returns the wanted bodies of an instant, however large the others are', async () => {
    const { reader, open } = await create();
    const part = partitionNumberOf('evt_1');
    const ids = Array.from({ length: 100 }, (_, number) => `evt_${number}`)
      .filter((id) => partitionNumberOf(id) === part)
      .slice(0, 6);
    // They do not become smaller: DynamoDB has them in two pages.
    const bodies = ids.map(() => randomBytes(220_000).toString('base64'));
    for (const [index, id] of ids.entries()) {
      await open(aDelivery({ event: anEventReference(id), body: bodies[index] ?? '' }));
    }
    const wanted = [bodies.at(0), bodies.at(-1)];
    const place = { occurredAt: Date.parse(EVENT.occurredAt), part };

    const found = await reader.at(INTEGRATION, place, {
      filter: {},
      isWanted: (_delivery, body) => wanted.includes(body),
    });

    expect(found.map(({ event }) => event.id).toSorted()).toEqual(
      [ids.at(0), ids.at(-1)].toSorted(),
    );
  });

  it('has every attempt as it was, oldest first', async () => {
    const { reader, open, record } = await create();
    const refused = { kind: 'unanswered', reason: 'connection-refused' } as const;
    const attempts = [
      attempt(1, { ...refused, code: 'ECONNREFUSED' }, { nextAttemptAt: pastNoon(2) }),
      attempt(2, { kind: 'unanswered', reason: 'address-refused' }, { trigger: 'backoff' }),
      attempt(3, answered(500, 'Grüße 👋'), { trigger: 'hourly' }),
      attempt(4, redirecting('hooks.example.com/in/'), { trigger: 'replay' }),
      attempt(5, answered(204), { trigger: 'manual' }),
    ];
    await open(DELIVERY);
    await record(...attempts.toReversed());
    await record(attempt(1, answered(200), { event: anEventReference('evt_11') }));
    await record(attempt(1, answered(200), { integration: 'another00000' }));
    expect(await reader.attemptsOf(LISTED)).toEqual(attempts);
    const another = { ...LISTED, event: anEventReference('evt_') };
    expect(await reader.attemptsOf(another)).toEqual([]);
  });

  it('returns the latest thousand attempts, with a KiB of each answer', async () => {
    const { reader, record } = await create();
    const responseStart = '👋'.repeat(256);
    const attempts = Array.from({ length: 1_003 }, (_, index) =>
      attempt(index + 1, answered(500, responseStart)),
    );
    await record(...attempts);
    const latest = await reader.attemptsOf(LISTED);
    expect(latest.map(({ number }) => number)).toEqual(
      attempts.slice(3).map(({ number }) => number),
    );
    expect(latest).toEqual(attempts.slice(3));
  });
});

const DAY_MS = 86_400_000;

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

  it('finds everything in short pages when a filter passes little', async () => {
    const { reader, open } = await create();
    const rare = [0, 5_499, 5_500, 5_699];
    const deliveries = Array.from({ length: 5_700 }, (_, index) =>
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

  it('fails for a table that does not exist', async () => {
    const { client } = tables;
    const reader = new DynamoDbDeliveryLogReader(client, 'no-such-table', {
      now: () => new Date(0),
    });
    await expect(reader.newest(INTEGRATION, all)).rejects.toThrow();
    await expect(reader.find(INTEGRATION, 'evt_1')).rejects.toThrow();
    await expect(reader.attemptsOf(DELIVERY)).rejects.toThrow();
  });
});
