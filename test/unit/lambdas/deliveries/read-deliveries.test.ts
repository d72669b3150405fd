import { describe, expect, it } from 'vitest';
import type { PendingView } from '../../../../core/delivery/pending/pending-view.ts';
import { buildListPendingEvents } from '../../../../core/delivery/reading/read-deliveries.ts';
import { anAttempt } from '../../../support/delivery/attempts.ts';
import { InMemoryPendingView } from '../../../support/delivery/pending/in-memory-pending-view.ts';
import { answered } from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { aStreamedDelivery } from '../../../support/delivery/streamed-deliveries.ts';
import { A_MESSAGE, aDelivery, anEventReference } from '../../../support/event/platform-events.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { apiOverMemory } from '../../../support/lambdas/api-over-memory.ts';
import { untouchable } from '../../../support/untouchable.ts';

const { id } = anIntegration();
const DELIVERIES = `/integrations/${id}/deliveries`;
const SEARCH = '/acme/deliveries';
const PENDING = `/integrations/${id}/pending-events`;
const DELIVERY = aDelivery();

interface Page {
  readonly id: string;
  readonly member: { id: string }[];
  readonly totalItems?: number;
  readonly view: { id: string; next?: string };
}

const reading = () => {
  const api = apiOverMemory([anIntegration()]);
  const read = async (path: string) => {
    const { status, document } = await api.call('GET', path, { role: 'member' });
    expect(status).toBe(200);
    return document;
  };
  const page = async (path: string) => (await read(path)) as unknown as Page;
  return { ...api, ...api.parts, read, page };
};

const idsOf = ({ member }: Page) => member.map((delivery) => delivery.id.split('_').at(-1));

describe('GET /integrations/{id}/deliveries/{event}', () => {
  const readingOne = async () => {
    const made = reading();
    await made.log.list([DELIVERY]);
    return { ...made, readIt: () => made.read(`${DELIVERIES}/${DELIVERY.event.id}`) };
  };

  it('shows a delivery before the first attempt, with its body', async () => {
    const { readIt, observation } = await readingOne();
    expect(await readIt()).toMatchObject({
      id: `${DELIVERIES}/evt_01JD`,
      isPending: false,
      isSetAside: false,
      body: DELIVERY.body,
      attempts: [],
    });
    expect(observation.logger.lines).toEqual([]);
  });

  it('shows an attempt that the listing of the delivery lacks', async () => {
    const { log, readIt } = await readingOne();
    const before = await log.find(id, DELIVERY.event.id);
    await log.record(anAttempt({}, { kind: 'unanswered', reason: 'tls-failure' }));
    const startedAt = new Date('2026-11-20T12:00:20.000Z');
    await log.record(anAttempt({ number: 2, trigger: 'backoff', startedAt }, answered(200, 'OK')));
    log.find = async () => before;
    expect(await readIt()).toMatchObject({
      outcome: 'delivered',
      deliveredAt: '2026-11-20T12:00:20.040Z',
      latestAttempt: { statusCode: 200 },
      attempts: [
        { number: 1, reason: 'tls-failure', detail: 'no secure connection could be made' },
        { number: 2, trigger: 'backoff', statusCode: 200, response: 'OK' },
      ],
    });
  });

  it('shows whether a delivery is set aside, and its resend pending', async () => {
    const { pendingEvents, setAsideEvents, readIt } = await readingOne();
    await setAsideEvents.add(DELIVERY);
    expect(await readIt()).toMatchObject({ isPending: false, isSetAside: true });
    await pendingEvents.put({ ...DELIVERY, trigger: 'manual' }, A_MESSAGE);
    expect(await readIt()).toMatchObject({ isPending: true, isSetAside: true });
  });

  it.each([
    ['unknown00000', 'evt_01JD', 'The integration does not exist.'],
    [id, 'evt_02', 'The delivery does not exist.'],
    [id, 'evt_01JD%23', 'The delivery does not exist.'],
    [id, 'e'.repeat(65), 'The delivery does not exist.'],
  ])('answers 404 to /integrations/%s/deliveries/%s', async (of, event, detail) => {
    const { call } = await readingOne();
    const reply = await call('GET', `/integrations/${of}/deliveries/${event}`);
    expect(reply).toMatchObject({ status: 404, document: { detail } });
  });
});

describe('GET /integrations/{id}/deliveries', () => {
  /** At the minutes 0 to 5; those at odd minutes are of another type and failed. */
  const listing = async () => {
    const made = reading();
    for (const minute of [3, 1, 5, 0, 4, 2]) {
      const isEven = minute % 2 === 0;
      const event = {
        id: `evt_${minute}`,
        type: isEven ? ('message.received' as const) : ('message.failed' as const),
        occurredAt: `2026-11-20T12:0${minute}:00.000Z`,
      };
      await made.log.record(anAttempt({ event }, answered(isEven ? 200 : 500, 'PRIVATE')));
    }
    return made;
  };

  it('lists deliveries, the newest first, without responses', async () => {
    const { page, observation } = await listing();
    const document = await page(DELIVERIES);
    expect(idsOf(document)).toEqual(['5', '4', '3', '2', '1', '0']);
    expect(document).toMatchObject({
      id: DELIVERIES,
      totalItems: 6,
      view: { id: `${DELIVERIES}?limit=20` },
    });
    expect(JSON.stringify(document)).not.toContain('PRIVATE');
    expect(observation.logger.lines).toEqual([]);
  });

  it('links each page to the next, with the same filters', async () => {
    const { page } = await listing();
    const filters = 'outcome=fatal&eventType=message.failed&since=2026-11-20T12%3A01%3A00Z';
    const first = await page(`${DELIVERIES}?${filters}&limit=2`);
    expect(first.id).toBe(`${DELIVERIES}?${filters}`);
    expect(first).not.toHaveProperty('totalItems');
    const next = first.view.next ?? '';
    expect(next).toMatch(`${DELIVERIES}?${filters}&limit=2&cursor=`);
    const second = await page(next);
    expect([first, second].map(idsOf)).toEqual([['5', '3'], ['1']]);
    expect(second.view).toEqual({ '@type': 'PartialCollectionView', id: next });
  });

  it('lists what is not delivered, also what has no attempt', async () => {
    const { page, log } = await listing();
    await log.list([aDelivery({ event: anEventReference('evt_6') })]);
    const filter = 'delivered=false&eventType=message.received';

    const document = await page(`${DELIVERIES}?${filter}`);

    expect(document.id).toBe(`${DELIVERIES}?${filter}`);
    expect(idsOf(document)).toEqual(['6']);
    expect(idsOf(await page(`${DELIVERIES}?delivered=false`))).toEqual(['5', '3', '1', '6']);
    expect(idsOf(await page(`${DELIVERIES}?delivered=true`))).toEqual(['4', '2', '0']);
  });

  it('reads instants with an offset', async () => {
    const { page } = await listing();
    const query = 'since=2026-11-20T13:02:00%2B01:00&until=2026-11-20T11:04:00-01:00';
    expect(idsOf(await page(`${DELIVERIES}?${query}`))).toEqual(['3', '2']);
  });
});

describe('GET /{account_name}/deliveries', () => {
  it('finds what is about a message, with the id in the next link', async () => {
    const { page, log, index } = reading();
    for (const number of [1, 2, 3]) {
      const occurredAt = `2026-11-20T12:0${number}:00.000Z`;
      const event = { ...anEventReference(`evt_${number}`), occurredAt };
      const subject = number === 2 ? 'msg 2' : 'msg/1';
      const body = JSON.stringify({ data: { message: { id: subject } } });
      await log.list([aDelivery({ integration: id, event, body })]);
      await index.add('1', [aStreamedDelivery({ integration: id, event, subject })]);
    }

    const first = await page(`${SEARCH}?about=msg%2F1&limit=1`);
    expect(first.id).toBe(`${SEARCH}?about=msg%2F1`);
    expect(idsOf(first)).toEqual(['3']);
    expect(first.view.next).toMatch(`${SEARCH}?about=msg%2F1&limit=1&cursor=`);
    expect(idsOf(await page(first.view.next ?? ''))).toEqual(['1']);
    expect(await page(`${SEARCH}?about=msg+2&integration=${id}`)).toMatchObject({ totalItems: 1 });
    expect(await page(`${SEARCH}?about=msg`)).toMatchObject({ totalItems: 0 });
  });

  it.each([
    ['', 'must be given'],
    ['?about=', 'must not be empty'],
    [`?about=${'x'.repeat(129)}`, 'must have at most 128 characters'],
  ])('refuses to search for %j', async (query, detail) => {
    const { call } = reading();
    const reply = await call('GET', `${SEARCH}${query}`, { role: 'member' });
    expect(reply).toMatchObject({
      status: 422,
      document: { errors: [{ parameter: 'about', detail }] },
    });
  });
});

describe('GET /integrations/{id}/pending-events', () => {
  /** So many pending events, and so many later ones that are set aside. */
  const listing = async (pending: number, setAside = 0) => {
    const made = reading();
    for (let index = 0; index < pending + setAside; index += 1) {
      const occurredAt = new Date(Date.UTC(2026, 10, 20, 12, 0, index)).toISOString();
      const delivery = aDelivery({ event: { ...anEventReference(`evt_${index}`), occurredAt } });
      if (index < pending) await made.pendingEvents.put(delivery, A_MESSAGE);
      else await made.setAsideEvents.add(delivery);
    }
    return made;
  };

  it('lists and counts pending events, the oldest first, without bodies', async () => {
    const { page } = await listing(3, 1);
    const document = await page(PENDING);
    expect(document).toMatchObject({
      id: PENDING,
      totalItems: 3,
      member: [0, 1, 2].map((index) => ({ id: `${DELIVERIES}/evt_${index}`, isPending: true })),
      view: { id: `${PENDING}?limit=20` },
    });
    expect(document.member[0]).not.toHaveProperty('body');
    expect(document.member[0]).not.toHaveProperty('isSetAside');
    const { totalItems, member } = document;
    expect(await page(`${PENDING}?state=pending`)).toMatchObject({ totalItems, member });
  });

  it('is empty when no event is pending', async () => {
    expect(await (await listing(0)).page(PENDING)).toMatchObject({ totalItems: 0, member: [] });
  });

  it('lists set-aside events on request, and counts them on the first page if asked to', async () => {
    const { page } = await listing(2, 5);
    const query = 'state=set-aside&limit=3';
    expect(await page(`${PENDING}?${query}`)).not.toHaveProperty('totalItems');
    const first = await page(`${PENDING}?${query}&count=true`);
    expect(first).toMatchObject({
      id: `${PENDING}?state=set-aside`,
      totalItems: 5,
      member: [2, 3, 4].map((index) => ({ id: `${DELIVERIES}/evt_${index}`, isSetAside: true })),
      view: { id: `${PENDING}?${query}` },
    });
    expect(first.member[0]).not.toHaveProperty('isPending');
    const second = await page(first.view.next ?? '');
    expect(idsOf(second)).toEqual(['5', '6']);
    for (const name of ['totalItems', 'totalItemsAtLeast']) {
      expect(second).not.toHaveProperty(name);
    }
    expect(second.view).not.toHaveProperty('next');
  });

  it('does not count when one page shows all', async () => {
    const { pendingEvents, setAsideEvents } = await listing(2);
    const view = new InMemoryPendingView(pendingEvents, setAsideEvents);
    const counter = untouchable<PendingView>('the count');
    const list = buildListPendingEvents({
      integrations: new InMemoryIntegrations(anIntegration()),
      pending: { page: (...of) => view.page(...of), count: (...of) => counter.count(...of) },
    });
    const listed = await list(
      { account: 'acme', id },
      { state: 'pending', limit: 20, isCounted: true },
    );
    expect(listed.deliveries).toHaveLength(2);
  });

  it('counts a thousand events, and more as at least so many', async () => {
    const { page } = await listing(1_001);
    const document = await page(`${PENDING}?limit=1&count=true`);
    expect(document).toMatchObject({ totalItemsAtLeast: 1_000 });
    expect(document).not.toHaveProperty('totalItems');
  });
});
