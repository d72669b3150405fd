import { describe, expect, it } from 'vitest';
import type { PendingView } from '../../../../core/delivery/pending/pending-view.ts';
import { buildListPendingEvents } from '../../../../core/delivery/reading/read-deliveries.ts';
import { createHandler } from '../../../../lambdas/api/deliveries/list-pending-events/handler.ts';
import { route } from '../../../../lambdas/api/deliveries/list-pending-events/route.ts';
import { InMemoryPendingEvents } from '../../../support/delivery/pending/in-memory-pending-events.ts';
import { InMemoryPendingView } from '../../../support/delivery/pending/in-memory-pending-view.ts';
import { InMemorySetAsideEvents } from '../../../support/delivery/pending/in-memory-set-aside-events.ts';
import { A_MESSAGE, aDelivery, anEventReference } from '../../../support/event/platform-events.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { documentFrom } from '../../../support/lambdas/api-documents.ts';
import { anApiEvent, call, documentOf } from '../../../support/lambdas/api-gateway-events.ts';
import { RecordingLogger } from '../../../support/lambdas/recording-logger.ts';
import { untouchable } from '../../../support/untouchable.ts';

const { id } = anIntegration();
const PATH = `/integrations/${id}/pending-events`;
const MEMBER = { user: 'usr_2', account: 'acme', role: 'member' };
const schema = route.answers[0].schema;

const wishesOf = (query?: string, account = 'acme') => ({
  path: PATH,
  pathParameters: { id },
  authorizer: { ...MEMBER, account },
  ...(query !== undefined && { query }),
});

const handlerOver = (pending: Pick<PendingView, 'page' | 'count'>) =>
  createHandler({
    listPendingEvents: buildListPendingEvents({
      integrations: new InMemoryIntegrations(anIntegration()),
      pending,
    }),
    logger: new RecordingLogger(),
  });

/** The view of so many that wait, and of so many later ones that are set aside. */
const waiting = async (count: number, setAside = 0): Promise<PendingView> => {
  const pending = new InMemoryPendingEvents();
  const keptAside = new InMemorySetAsideEvents();
  for (let index = 0; index < count + setAside; index += 1) {
    const occurredAt = new Date(Date.UTC(2026, 10, 20, 12, 0, index)).toISOString();
    const delivery = aDelivery({ event: { ...anEventReference(`evt_${index}`), occurredAt } });
    if (index < count) await pending.put(delivery, A_MESSAGE);
    else await keptAside.add(delivery);
  }
  return new InMemoryPendingView(pending, keptAside);
};

/** The pages of as many as are waiting and set aside. */
const listing = async (...counts: Parameters<typeof waiting>) => {
  const handler = handlerOver(await waiting(...counts));
  return (query?: string) => documentFrom(handler, schema, wishesOf(query));
};

describe('GET /integrations/{id}/pending-events', () => {
  it('lists what waits, oldest first, without bodies, and counts it', async () => {
    const page = await listing(3);
    const document = await page();
    expect(document).toMatchObject({
      id: PATH,
      totalItems: 3,
      member: [0, 1, 2].map((index) => ({
        id: `/integrations/${id}/deliveries/evt_${index}`,
        isPending: true,
      })),
      view: { id: `${PATH}?limit=20` },
    });
    expect(document.member[0]).not.toHaveProperty('body');
  });

  it('says that nothing waits', async () => {
    const page = await listing(0);
    expect(await page()).toMatchObject({ totalItems: 0, member: [] });
  });

  it('counts on the first page only', async () => {
    const page = await listing(5);
    const first = await page('limit=2');
    expect(first.totalItems).toBe(5);
    const second = await page(first.view.next?.slice(PATH.length + 1));
    expect(second.member.map((delivery) => delivery.id.at(-1))).toEqual(['2', '3']);
    expect(second).not.toHaveProperty('totalItems');
    expect(second).not.toHaveProperty('totalItemsAtLeast');
  });

  it('lists and counts what is set aside, and that alone, where that is asked for', async () => {
    const page = await listing(2, 5);
    const first = await page('state=set-aside&limit=3');
    expect(first).toMatchObject({
      id: `${PATH}?state=set-aside`,
      totalItems: 5,
      member: [2, 3, 4].map((index) => ({
        id: `/integrations/${id}/deliveries/evt_${index}`,
        isSetAside: true,
      })),
      view: { id: `${PATH}?state=set-aside&limit=3` },
    });
    expect(first.member[0]).not.toHaveProperty('isPending');
    const second = await page(first.view.next?.slice(PATH.length + 1));
    expect(second.member.map((delivery) => delivery.id.at(-1))).toEqual(['5', '6']);
    expect(second.view).not.toHaveProperty('next');
  });

  it('lists what waits alone, whether that is asked for or not', async () => {
    const page = await listing(2, 1);
    const { totalItems, member } = await page();
    expect(totalItems).toBe(2);
    expect(member[0]).not.toHaveProperty('isSetAside');
    expect(await page('state=pending')).toMatchObject({ totalItems, member });
  });

  it('does not count what one page shows', async () => {
    const pending = await waiting(2);
    const counter = untouchable<PendingView>('the count');
    const handler = handlerOver({
      page: (of, page) => pending.page(of, page),
      count: (of, upTo) => counter.count(of, upTo),
    });
    expect(await documentFrom(handler, schema, wishesOf())).toMatchObject({ totalItems: 2 });
  });

  it('says of more than ten thousand that there are at least so many', async () => {
    const page = await listing(10_001);
    const document = await page('limit=1');
    expect(document).toMatchObject({ totalItemsAtLeast: 10_000 });
    expect(document).not.toHaveProperty('totalItems');
  });

  it('refuses a cursor that no page gave, and parameters that it does not know', async () => {
    const handler = handlerOver(await waiting(1));
    for (const [query, parameter] of [
      ['cursor=abc', 'cursor'],
      ['outcome=fatal', 'outcome'],
      ['state=delivered', 'state'],
      ['state=', 'state'],
    ]) {
      const result = await call(handler, anApiEvent(wishesOf(query)));
      expect(result.statusCode).toBe(422);
      expect(documentOf(result).errors).toEqual([{ parameter, detail: expect.any(String) }]);
    }
  });
});
