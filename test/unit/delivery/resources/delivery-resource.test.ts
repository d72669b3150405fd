import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../../../core/delivery/attempt.ts';
import type { LoggedDelivery } from '../../../../core/delivery/delivery-log-reader.ts';
import {
  deliveryDetailsResource,
  deliveryResource,
  presentAttempt,
  presentDelivery,
  presentDeliveryDetails,
} from '../../../../core/delivery/resources/delivery-resource.ts';
import { anAttempt } from '../../../support/delivery/attempts.ts';
import { answered } from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { aDelivery } from '../../../support/event/platform-events.ts';

const { account, integration, event } = aDelivery();

const logged = (overrides: Partial<LoggedDelivery> = {}): LoggedDelivery => ({
  account,
  integration,
  event,
  ...overrides,
});

const inFull = (attempts: readonly Attempt[], body?: string) =>
  deliveryDetailsResource.parse(
    presentDeliveryDetails({
      delivery: logged({ ...(attempts.at(-1) && { latestAttempt: attempts.at(-1) }) }),
      isPending: false,
      isSetAside: false,
      body,
      attempts,
    }),
  );

describe('an attempt as the API shows it', () => {
  it('tells what was answered', () => {
    const nextAttemptAt = new Date('2026-11-20T12:00:15.000Z');
    const attempt = anAttempt(
      { number: 2, trigger: 'backoff', nextAttemptAt },
      answered(504, 'Busy'),
    );
    expect(presentAttempt(attempt)).toEqual({
      '@type': 'Attempt',
      number: 2,
      trigger: 'backoff',
      startedAt: '2026-11-20T12:00:00.000Z',
      durationMs: 40,
      outcome: 'transient',
      statusCode: 504,
      explanation: '/reasons/status-504',
      response: 'Busy',
      nextAttemptAt: '2026-11-20T12:00:15.000Z',
    });
  });

  it('tells in words why nothing was', () => {
    const refused = { kind: 'unanswered', reason: 'dns-failure', code: 'ENOTFOUND' } as const;
    expect(presentAttempt(anAttempt({}, refused))).toEqual({
      '@type': 'Attempt',
      number: 1,
      trigger: 'event',
      startedAt: '2026-11-20T12:00:00.000Z',
      durationMs: 40,
      outcome: 'transient',
      reason: 'dns-failure',
      detail: 'the host name could not be resolved',
      code: 'ENOTFOUND',
      explanation: '/reasons/dns-failure',
    });
  });
});

describe('a delivery as lists show it', () => {
  it('has no outcome before its first attempt, and its instants in UTC', () => {
    const delivery = logged({ event: { ...event, occurredAt: '2026-11-20T13:00:00+01:00' } });
    expect(presentDelivery(delivery)).toEqual({
      '@context': '/contexts/Delivery.jsonld',
      '@type': 'Delivery',
      id: '/integrations/0123456789Ab/deliveries/evt_01JD',
      integration: '/integrations/0123456789Ab',
      eventType: 'message.received',
      occurredAt: '2026-11-20T12:00:00.000Z',
    });
  });

  it('has an event type that this version does not know', () => {
    const document = presentDelivery(logged({ event: { ...event, type: 'letter.returned' } }));
    expect(deliveryResource.parse(document).eventType).toBe('letter.returned');
  });

  it('has the outcome of its latest attempt, and nothing of its response', () => {
    const latestAttempt = anAttempt({}, answered(500, 'PRIVATE response'));
    const document = presentDelivery(logged({ latestAttempt }));
    expect(document).toMatchObject({ outcome: 'fatal', latestAttempt: { statusCode: 500 } });
    expect(document.latestAttempt).not.toHaveProperty('response');
  });

  it('stays delivered once it arrived, whatever came of a later attempt', () => {
    const document = presentDelivery(
      logged({
        deliveredAt: '2026-11-20T12:00:00.040Z',
        latestAttempt: anAttempt({ trigger: 'manual' }, answered(500)),
      }),
    );
    expect(document).toMatchObject({
      outcome: 'delivered',
      deliveredAt: '2026-11-20T12:00:00.040Z',
      latestAttempt: { outcome: 'fatal' },
    });
  });

  it.each(['isPending', 'isSetAside'])('has %s where that is known', (member) => {
    expect(presentDelivery(logged(), { [member]: true })).toHaveProperty(member, true);
    expect(presentDelivery(logged())).not.toHaveProperty(member);
  });
});

describe('a delivery in full', () => {
  it('has the body as it is sent, and every attempt with its response', () => {
    const body = '{"data":{"text":"Grüße 👋 \\n <&>\\u0000"}}';
    const attempts = [
      anAttempt({}, answered(500, 'No')),
      anAttempt({ number: 2 }, answered(200, '')),
    ];
    const document = inFull(attempts, body);
    expect(document.body).toBe(body);
    expect(document.attempts).toEqual(attempts.map(presentAttempt));
    expect(document.latestAttempt).not.toHaveProperty('response');
  });

  it('has no body that is no longer kept', () => {
    expect(inFull([])).not.toHaveProperty('body');
  });

  it('fits into an answer of Lambda’s, whatever was sent and answered', () => {
    const worst = '\u0001'.repeat(1_024);
    const attempts = Array.from({ length: 1_000 }, (_, index) =>
      anAttempt({ number: index + 1 }, answered(500, worst)),
    );
    const document = inFull(attempts, '"\\'.repeat(524_288));
    const payload = JSON.stringify({ body: JSON.stringify(document) });
    expect(Buffer.byteLength(payload)).toBeLessThan(6_000_000);
    const responses = document.attempts.map(({ response }) => response);
    expect(responses).toEqual([
      ...Array.from({ length: 900 }, () => undefined),
      ...Array.from({ length: 100 }, () => worst),
    ]);
  });
});
