import { describe, expect, it } from 'vitest';
import type { AttemptLog } from '../../core/delivery/attempt.ts';
import { createDeliverWebhook } from '../../core/delivery/deliver-webhook.ts';
import type { WebhookEndpoint } from '../../core/delivery/webhook-endpoint.ts';
import type { Integration } from '../../core/integrations/integration.ts';
import { signatureHeaders } from '../../core/signing/signature-headers.ts';
import { InMemoryAttemptLog } from '../support/in-memory-attempt-log.ts';
import { anIntegration } from '../support/integrations.ts';
import { aDelivery } from '../support/platform-events.ts';
import { answered, ScriptedWebhookEndpoint } from '../support/scripted-webhook-endpoint.ts';
import { untouchable } from '../support/untouchable.ts';

const NOON = new Date('2026-11-20T12:00:00.000Z');

const finding = (integration: Integration | undefined, attemptNumber = 1) => ({
  attemptNumber,
  findIntegration: async () => integration,
});

/** Each look at the clock is 40 ms after the one before. */
const aClock = () => {
  let looks = 0;
  return () => {
    looks += 1;
    return new Date(NOON.getTime() + (looks - 1) * 40);
  };
};

const aDeliverer = (
  endpoint: WebhookEndpoint = new ScriptedWebhookEndpoint(),
  attemptLog: AttemptLog = new InMemoryAttemptLog(),
) =>
  createDeliverWebhook({
    endpoint,
    attemptLog,
    now: aClock(),
    userAgent: 'Service-Webhooks/1.2.3',
  });

describe('delivering a webhook', () => {
  it('posts the body to the integration’s URL with the headers of the contract', async () => {
    const endpoint = new ScriptedWebhookEndpoint();
    await aDeliverer(endpoint)(aDelivery(), finding(anIntegration()));
    const { webhookSecret } = anIntegration().config;
    expect(endpoint.requests).toEqual([
      {
        url: 'https://hooks.example.com/in',
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': 'Service-Webhooks/1.2.3',
          ...signatureHeaders(webhookSecret, aDelivery().body, {
            deliveryId: '/integrations/0123456789Ab/deliveries/evt_01JD',
            sentAt: NOON,
          }),
        },
        body: aDelivery().body,
      },
    ]);
  });

  it('does not send the client secret', async () => {
    const endpoint = new ScriptedWebhookEndpoint();
    const config = { ...anIntegration().config, clientSecret: 'for client applications' };
    await aDeliverer(endpoint)(aDelivery(), finding(anIntegration({ config })));
    expect(JSON.stringify(endpoint.requests)).not.toContain('for client applications');
  });

  it('looks for the integration by account and id', async () => {
    const asked: string[][] = [];
    await aDeliverer()(aDelivery(), {
      attemptNumber: 1,
      findIntegration: async (...key) => {
        asked.push(key);
        return undefined;
      },
    });
    expect(asked).toEqual([['acme', '0123456789Ab']]);
  });

  it.each([
    ['deleted', undefined],
    ['inactive', anIntegration({ active: false })],
  ] as const)(
    'is dropped without an attempt when the integration is %s',
    async (because, found) => {
      const deliver = aDeliverer(
        untouchable<WebhookEndpoint>('the endpoint'),
        untouchable<AttemptLog>('the delivery log'),
      );
      expect(await deliver(aDelivery(), finding(found))).toEqual({ kind: 'dropped', because });
    },
  );

  it('records the attempt: when, how long, what came of it', async () => {
    const attemptLog = new InMemoryAttemptLog();
    const endpoint = new ScriptedWebhookEndpoint(() => answered(503, 'busy'));
    const result = await aDeliverer(endpoint, attemptLog)(aDelivery(), finding(anIntegration()));
    const attempt = {
      account: 'acme',
      integration: '0123456789Ab',
      event: { id: 'evt_01JD', type: 'message.received' },
      number: 1,
      trigger: 'event',
      startedAt: NOON,
      durationMs: 40,
      outcome: { class: 'fatal', result: answered(503, 'busy') },
    };
    expect(result).toEqual({ kind: 'attempted', attempt });
    expect(attemptLog.attempts).toEqual([attempt]);
  });

  it('counts a later attempt as one made by backoff', async () => {
    const result = await aDeliverer()(aDelivery(), finding(anIntegration(), 3));
    expect(result).toMatchObject({ attempt: { number: 3, trigger: 'backoff' } });
  });

  it('sends the same id and body again, under a fresh timestamp and signature', async () => {
    const endpoint = new ScriptedWebhookEndpoint();
    const instants = [NOON, NOON, new Date(NOON.getTime() + 60_000), NOON];
    const deliver = createDeliverWebhook({
      endpoint,
      attemptLog: new InMemoryAttemptLog(),
      now: () => instants.shift() ?? NOON,
      userAgent: 'Service-Webhooks/1.2.3',
    });
    await deliver(aDelivery(), finding(anIntegration(), 1));
    await deliver(aDelivery(), finding(anIntegration(), 2));
    const [first, second] = endpoint.requests;
    const differing = Object.keys(first?.headers ?? {}).filter(
      (name) => first?.headers[name] !== second?.headers[name],
    );
    expect(differing).toEqual(['webhook-timestamp', 'webhook-signature']);
    expect(second?.body).toBe(first?.body);
  });

  it('does not fail when the delivery log does: the endpoint has confirmed already', async () => {
    const fault = new Error('throttled');
    const attemptLog = { record: () => Promise.reject(fault) };
    const deliver = aDeliverer(new ScriptedWebhookEndpoint(), attemptLog);
    expect(await deliver(aDelivery(), finding(anIntegration()))).toMatchObject({
      kind: 'attempted',
      attempt: { outcome: { class: 'delivered' } },
      recordingFault: fault,
    });
  });

  it('fails before anything is sent when the integration cannot be read', async () => {
    const deliver = aDeliverer(untouchable<WebhookEndpoint>('the endpoint'));
    const findIntegration = () => Promise.reject(new Error('throttled'));
    await expect(deliver(aDelivery(), { attemptNumber: 1, findIntegration })).rejects.toThrow(
      'throttled',
    );
  });
});
