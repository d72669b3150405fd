import { describe, expect, it } from 'vitest';
import { anAttempt } from '../../../support/delivery/attempts.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import {
  aDeliverer,
  answering,
  BUSY,
  FAILED,
  INTEGRATION,
  queued,
  UNTROUBLED,
} from '../../../support/delivery/sending/troubled-deliverer.ts';
import { aDelivery } from '../../../support/event/platform-events.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';

describe('a delivery whose integration cannot take it now', () => {
  it.each([
    ['failed', FAILED, queued(1)],
    ['failed while it was received again and again', FAILED, queued(4)],
    ['failed at its replay', FAILED, queued(1, { trigger: 'replay' })],
    ['busy', BUSY, queued(1)],
    ['inactive since it was routed', anIntegration({ active: false }), queued(1)],
    ['inactive since it was received first', anIntegration({ active: false }), queued(2)],
    ['inactive at its replay', anIntegration({ active: false }), queued(1, { trigger: 'replay' })],
  ])(
    'is stored as pending without an attempt when the integration is %s',
    async (_case, stored, message) => {
      const { deliver, pendingEvents, integrations } = aDeliverer({ stored });
      expect(await deliver(message)).toEqual({ kind: 'pending' });
      expect(pendingEvents.of(INTEGRATION)).toMatchObject([
        { event: message.delivery.event, priorAttempts: 0 },
      ]);
      expect(integrations.all).toEqual([stored]);
    },
  );
});

describe('a fatal result', () => {
  it('has the event stored as pending, with its attempts counted', async () => {
    const { deliverAgain, pendingEvents } = aDeliverer({ endpoint: answering(500) });
    const result = await deliverAgain(queued(3, { trigger: 'replay', priorAttempts: 5 }));
    expect(result).toMatchObject({ kind: 'pending', made: { attempt: { number: 8 } } });
    expect(pendingEvents.of(INTEGRATION)).toMatchObject([{ priorAttempts: 8 }]);
  });

  it('does not fail settings that were changed since its attempt began', async () => {
    const changed = anIntegration({ epoch: 5, revision: 2 });
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await integrations.replace(changed, UNTROUBLED);
      return answered(500);
    });
    const { deliver, integrations, pendingEvents } = aDeliverer({ endpoint });
    expect(await deliver()).toMatchObject({ kind: 'outdated', made: { attempt: { number: 1 } } });
    expect(integrations.all).toEqual([changed]);
    expect(pendingEvents.of(INTEGRATION)).toEqual([]);
  });

  it('keeps its message in the queue when the event cannot be stored', async () => {
    const { deliver, pendingEvents } = aDeliverer({ endpoint: answering(500) });
    Object.assign(pendingEvents, { put: () => Promise.reject(new Error('throttled')) });
    await expect(deliver()).rejects.toThrow('throttled');
  });
});

const EVENT = aDelivery().event.id;
const THROTTLED = new Error('throttled');

describe('the delivery log', () => {
  it.each([
    ['of a failed integration', FAILED],
    ['of an inactive integration', { ...UNTROUBLED, active: false }],
  ])('lists a delivery %s, and does not ask before', async (_of, stored) => {
    const { deliver, log } = aDeliverer({ stored });
    Object.assign(log, { read: () => Promise.reject(THROTTLED) });
    expect(await deliver()).toEqual({ kind: 'pending' });
    expect(await log.bodyOf({ ...aDelivery() })).toBe(aDelivery().body);
  });

  it('does not list a delivery again that was attempted before it is pending', async () => {
    const { deliver, log } = aDeliverer({ endpoint: answering(500) });
    await deliver();
    const before = await log.find(INTEGRATION, EVENT);
    expect(await deliver(queued(1, { trigger: 'replay', priorAttempts: 1 }))).toEqual({
      kind: 'pending',
    });
    expect(await log.find(INTEGRATION, EVENT)).toEqual(before);
  });

  it('keeps what it has of an event that the platform sends again', async () => {
    const { deliver, log } = aDeliverer({ stored: FAILED });
    await log.list([aDelivery()]);
    await log.record(anAttempt({}, answered(200)));
    const before = await log.find(INTEGRATION, EVENT);
    expect(before?.deliveredAt).toBeDefined();
    expect(await deliver()).toEqual({ kind: 'pending' });
    expect(await log.find(INTEGRATION, EVENT)).toEqual(before);
  });

  it('holds no delivery up when it cannot list the delivery, which is told', async () => {
    const { deliver, log, pendingEvents } = aDeliverer({ stored: FAILED });
    Object.assign(log, { list: () => Promise.reject(THROTTLED) });
    expect(await deliver()).toEqual({ kind: 'pending', listingFault: THROTTLED });
    expect(pendingEvents.of(INTEGRATION)).toHaveLength(1);
  });

  it('lists a delivery that could not be stored and comes back', async () => {
    const { deliver, log, pendingEvents } = aDeliverer({ stored: FAILED });
    const { promise: stored, reject } = Promise.withResolvers<never>();
    const list = log.list.bind(log);
    Object.assign(pendingEvents, { put: () => stored });
    Object.assign(log, {
      list: async (deliveries: Parameters<typeof list>[0]) => {
        reject(THROTTLED);
        await stored.catch(() => {});
        return list(deliveries);
      },
    });
    await expect(deliver()).rejects.toThrow('throttled');
    expect(await log.find(INTEGRATION, EVENT)).toBeDefined();
  });

  it('is said not to be readable when a delivery is pending, too', async () => {
    const { deliver, log } = aDeliverer({ stored: FAILED });
    Object.assign(log, { read: () => Promise.reject(THROTTLED) });
    expect(await deliver(queued(1, { trigger: 'replay' }))).toEqual({
      kind: 'pending',
      logFault: THROTTLED,
    });
  });

  it('has an attempt before anything follows from its failure', async () => {
    const { deliver, log, pendingEvents } = aDeliverer({ endpoint: answering(500) });
    const put = pendingEvents.put.bind(pendingEvents);
    const recordedBefore: number[] = [];
    pendingEvents.put = (...stored) => {
      recordedBefore.push(log.attempts.length);
      return put(...stored);
    };
    expect(await deliver()).toMatchObject({ kind: 'pending', became: 'failed' });
    expect(recordedBefore).toEqual([1]);
  });

  it('is written though what follows from a success fails', async () => {
    const { deliver, log, setAsideEvents } = aDeliverer({ endpoint: answering(200) });
    Object.assign(setAsideEvents, { remove: () => Promise.reject(THROTTLED) });
    await expect(deliver(queued(1, { trigger: 'manual' }))).rejects.toThrow('throttled');
    expect(log.attempts).toHaveLength(1);
  });
});
