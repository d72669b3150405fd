import { describe, expect, it } from 'vitest';
import { buildGetDelivery } from '../../../../core/delivery/reading/read-deliveries.ts';
import { createHandler } from '../../../../lambdas/api/deliveries/get-delivery/handler.ts';
import { route } from '../../../../lambdas/api/deliveries/get-delivery/route.ts';
import { anAttempt } from '../../../support/delivery/attempts.ts';
import { InMemoryDeliveryLog } from '../../../support/delivery/in-memory-delivery-log.ts';
import { InMemoryPendingEvents } from '../../../support/delivery/pending/in-memory-pending-events.ts';
import { InMemoryPendingView } from '../../../support/delivery/pending/in-memory-pending-view.ts';
import { InMemorySetAsideEvents } from '../../../support/delivery/pending/in-memory-set-aside-events.ts';
import { answered } from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { A_MESSAGE, aDelivery } from '../../../support/event/platform-events.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { documentFrom } from '../../../support/lambdas/api-documents.ts';
import { anApiEvent, call, documentOf } from '../../../support/lambdas/api-gateway-events.ts';
import { RecordingLogger } from '../../../support/lambdas/recording-logger.ts';

const DELIVERY = aDelivery({ body: '{"data":{"text":"PRIVATE body"}}' });
const { integration, event } = DELIVERY;
const MEMBER = { user: 'usr_2', account: 'acme', role: 'member' };
const schema = route.answers[0].schema;

const wishesOf = ({ id = integration, of = event.id, account = 'acme' } = {}) => ({
  path: `/integrations/${id}/deliveries/${of}`,
  pathParameters: { id, event: of },
  authorizer: { ...MEMBER, account },
});

const reading = async () => {
  const log = new InMemoryDeliveryLog();
  const pending = new InMemoryPendingEvents();
  const setAside = new InMemorySetAsideEvents();
  const logger = new RecordingLogger();
  await log.list([DELIVERY]);
  const getDelivery = buildGetDelivery({
    integrations: new InMemoryIntegrations(anIntegration()),
    log: log,
    pending: new InMemoryPendingView(pending, setAside),
  });
  const handler = createHandler({ getDelivery, logger });
  const read = () => documentFrom(handler, schema, wishesOf());
  return { log, pending, setAside, logger, handler, read };
};

describe('GET /integrations/{id}/deliveries/{event}', () => {
  it('shows a delivery before any attempt, with the body that is sent', async () => {
    const { read } = await reading();
    expect(await read()).toEqual({
      '@context': '/contexts/Delivery.jsonld',
      '@type': 'Delivery',
      id: '/integrations/0123456789Ab/deliveries/evt_01JD',
      integration: '/integrations/0123456789Ab',
      eventType: 'message.received',
      occurredAt: '2026-11-20T12:00:00.000Z',
      isPending: false,
      isSetAside: false,
      body: DELIVERY.body,
      attempts: [],
    });
  });

  it('shows why it did not arrive, and that it did at last', async () => {
    const { log, read } = await reading();
    const startedAt = new Date('2026-11-20T12:00:20.000Z');
    await log.record(anAttempt({}, { kind: 'unanswered', reason: 'tls-failure' }));
    await log.record(anAttempt({ number: 2, trigger: 'backoff', startedAt }, answered(200, 'OK')));
    expect(await read()).toMatchObject({
      outcome: 'delivered',
      deliveredAt: '2026-11-20T12:00:20.040Z',
      attempts: [
        { number: 1, reason: 'no secure connection could be made (certificate or TLS error)' },
        { number: 2, trigger: 'backoff', statusCode: 200, response: 'OK' },
      ],
    });
  });

  it('does not contradict an attempt that its entry in the log lacks yet', async () => {
    const { log, read } = await reading();
    const find = log.find.bind(log);
    const before = await find(integration, event.id);
    await log.record(anAttempt({ durationMs: 40 }, answered(204)));
    log.find = async () => before;
    expect(await read()).toMatchObject({
      outcome: 'delivered',
      deliveredAt: '2026-11-20T12:00:00.040Z',
      latestAttempt: { statusCode: 204 },
      attempts: [{ statusCode: 204 }],
    });
  });

  it('says whether it waits', async () => {
    const { pending, read } = await reading();
    await pending.put(DELIVERY, A_MESSAGE);
    expect(await read()).toMatchObject({ isPending: true, isSetAside: false });
  });

  it('says whether it is set aside, and whether a resend of it waits', async () => {
    const { pending, setAside, read } = await reading();
    await setAside.add(DELIVERY);
    expect(await read()).toMatchObject({ isPending: false, isSetAside: true });
    await pending.put({ ...DELIVERY, trigger: 'manual' }, A_MESSAGE);
    expect(await read()).toMatchObject({ isPending: true, isSetAside: true });
  });

  it.each([
    ['another account', { account: 'globex' }, 'There is no such integration.'],
    ['an unknown integration', { id: 'unknown00000' }, 'There is no such integration.'],
    ['an unknown event', { of: 'evt_02' }, 'There is no such delivery.'],
    ['what is no id of an event', { of: 'evt_01JD#' }, 'There is no such delivery.'],
    ['an id that is too long', { of: 'e'.repeat(65) }, 'There is no such delivery.'],
  ])('has nothing for %s', async (_of, wishes, detail) => {
    const { handler } = await reading();
    const result = await call(handler, anApiEvent(wishesOf(wishes)));
    expect(result.statusCode).toBe(404);
    expect(documentOf(result).detail).toBe(detail);
  });

  it('logs nothing of what it shows', async () => {
    const { read, logger } = await reading();
    await read();
    expect(logger.lines).toEqual([]);
  });
});
