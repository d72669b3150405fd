import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../../../core/delivery/attempt.ts';
import type { DeliveryLogReader } from '../../../../core/delivery/delivery-log-reader.ts';
import { buildListDeliveries } from '../../../../core/delivery/reading/read-deliveries.ts';
import { createHandler } from '../../../../lambdas/api/deliveries/list-deliveries/handler.ts';
import { route } from '../../../../lambdas/api/deliveries/list-deliveries/route.ts';
import { anAttempt } from '../../../support/delivery/attempts.ts';
import { InMemoryDeliveryLog } from '../../../support/delivery/in-memory-delivery-log.ts';
import { answered } from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { documentFrom } from '../../../support/lambdas/api-documents.ts';
import { anApiEvent, call, documentOf } from '../../../support/lambdas/api-gateway-events.ts';
import { RecordingLogger } from '../../../support/lambdas/recording-logger.ts';

const { id } = anIntegration();
const PATH = `/integrations/${id}/deliveries`;
const MEMBER = { user: 'usr_2', account: 'acme', role: 'member' };
const schema = route.answers[0].schema;

const attemptAt = (minute: number, statusCode = 200): Attempt =>
  anAttempt(
    {
      event: {
        id: `evt_${minute}`,
        type: minute % 2 === 0 ? 'message.received' : 'message.failed',
        occurredAt: `2026-11-20T12:0${minute}:00.000Z`,
      },
    },
    answered(statusCode, 'PRIVATE response'),
  );

const handlerOver = (log: Pick<DeliveryLogReader, 'newest'>) => {
  const logger = new RecordingLogger();
  const integrations = new InMemoryIntegrations(anIntegration());
  const listDeliveries = buildListDeliveries({ integrations, log });
  return { handler: createHandler({ listDeliveries, logger }), logger };
};

const wishesOf = (query?: string, account = 'acme') => ({
  path: PATH,
  pathParameters: { id },
  authorizer: { ...MEMBER, account },
  ...(query !== undefined && { query }),
});

/** Of the minutes 0 to 5; odd ones are of another type and failed. */
const listing = async () => {
  const log = new InMemoryDeliveryLog();
  for (const minute of [3, 1, 5, 0, 4, 2]) {
    await log.record(attemptAt(minute, minute % 2 === 0 ? 200 : 500));
  }
  const { handler } = handlerOver(log);
  const page = (query?: string) => documentFrom(handler, schema, wishesOf(query));
  return { handler, page };
};

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof listing>>['page']>>;

const idsOf = ({ member }: Page) => member.map((delivery) => delivery.id.split('/').at(-1));

describe('GET /integrations/{id}/deliveries', () => {
  it('lists what was sent, newest first, without what was answered', async () => {
    const { page } = await listing();
    const document = await page();
    expect(idsOf(document)).toEqual(['evt_5', 'evt_4', 'evt_3', 'evt_2', 'evt_1', 'evt_0']);
    expect(document).toMatchObject({ id: PATH, totalItems: 6, view: { id: `${PATH}?limit=20` } });
    expect(JSON.stringify(document)).not.toContain('PRIVATE');
  });

  it('leads from page to page, with the filters it was asked with', async () => {
    const { page } = await listing();
    const filters = 'outcome=fatal&eventType=message.failed&since=2026-11-20T12%3A01%3A00Z';
    const first = await page(`${filters}&limit=2`);
    expect(first.id).toBe(`${PATH}?${filters}`);
    expect(first).not.toHaveProperty('totalItems');
    const next = first.view.next ?? '';
    expect(next).toMatch(`${PATH}?${filters}&limit=2&cursor=`);
    const second = await page(next.slice(PATH.length + 1));
    expect([first, second].map(idsOf)).toEqual([['evt_5', 'evt_3'], ['evt_1']]);
    expect(second.view).toEqual({ '@type': 'PartialCollectionView', id: next });
  });

  it('understands instants with an offset', async () => {
    const { page } = await listing();
    const document = await page(
      'since=2026-11-20T13:02:00%2B01:00&until=2026-11-20T11:04:00-01:00',
    );
    expect(idsOf(document)).toEqual(['evt_3', 'evt_2']);
  });

  it.each([
    ['outcome=lost', 'outcome'],
    ['eventType=message.lost', 'eventType'],
    ['since=yesterday', 'since'],
    ['since=', 'since'],
    ['since=2026-02-30T00:00:00Z', 'since'],
    ['since=2026-11-20T12:00:00+01:00', 'since'],
    ['until=2026-11-20', 'until'],
    ['until=9999-12-31T23:59:59-14:00', 'until'],
    ['since=0000-01-01T00:00:00%2B10:00', 'since'],
    ['since=2026-11-20T12:00:00Z&until=2026-11-20T13:00:00%2B01:00', 'until'],
    ['since=2026-11-21T12:00:00Z&until=2026-11-20T12:00:00Z', 'until'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['cursor=', 'cursor'],
    ['cursor=MjAyNg', 'cursor'],
    ['cursor=..%2F', 'cursor'],
    [`cursor=${Buffer.from('attempt#evt_1').toString('base64url')}`, 'cursor'],
    ['outcom=fatal', 'outcom'],
    ['limit=1&limit=2', 'limit'],
  ])('refuses ?%s by name', async (query, parameter) => {
    const { handler } = await listing();
    const result = await call(handler, anApiEvent(wishesOf(query)));
    expect(result.statusCode).toBe(422);
    expect(documentOf(result).errors).toEqual([{ parameter, detail: expect.any(String) }]);
  });

  it('logs nothing of what it shows', async () => {
    const log = new InMemoryDeliveryLog();
    await log.record(attemptAt(1));
    const { handler, logger } = handlerOver(log);
    await documentFrom(handler, schema, wishesOf());
    expect(logger.lines).toEqual([]);
  });
});
