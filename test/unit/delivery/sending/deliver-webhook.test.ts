import { describe, expect, it } from 'vitest';
import packageJson from '../../../../package.json' with { type: 'json' };
import { anAttempt } from '../../../support/delivery/attempts.ts';
import {
  answered,
  redirecting,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import {
  aDeliverer,
  answering,
  backoff,
  INTEGRATION,
  NOON,
  queued,
  streak,
  UNTROUBLED,
} from '../../../support/delivery/sending/troubled-deliverer.ts';
import { A_MESSAGE, aDelivery } from '../../../support/event/platform-events.ts';
import { aConfig } from '../../../support/integration/in-memory-secrets.ts';
import { untouchable } from '../../../support/untouchable.ts';

/** Answers 40 ms after it was called at noon. */
const answeringAfter40Ms = (statusCode: number, responseStart = '') => {
  let now = NOON;
  const endpoint = new ScriptedWebhookEndpoint(() => {
    now = new Date(NOON.getTime() + 40);
    return answered(statusCode, responseStart);
  });
  return { endpoint, now: () => now };
};

describe('delivering a webhook', () => {
  it('posts the body to the integration’s URL with the contract’s headers', async () => {
    const endpoint = answering(200);
    await aDeliverer({ endpoint }).deliver();
    expect(endpoint.requests).toEqual([
      {
        url: 'https://hooks.example.com/in',
        headers: {
          'Content-Type': 'application/json',
          Accept: '*/*',
          'Accept-Encoding': 'identity',
          'User-Agent': `Service-Webhooks/${packageJson.version}`,
          // By `openssl dgst -sha256 -hmac 'a secret of the tests'`, of the body and of what the
          // second signs: id, timestamp and body, with dots between them.
          'X-Service-Signature': '8acf0f3d4181f7e973e80d0ac22611ac34222dd8e09df613022261d604974f0c',
          'webhook-id': '/integrations/0123456789Ab/deliveries/evt_01JD',
          'webhook-timestamp': '1795176000',
          'webhook-signature': 'v1,09hc9R4mGunUQsFlj31i0vQ4Zz+CS5E86XOD+azI86Q=',
        },
        body: '{"data":{"body":"Hello"}}',
      },
    ]);
  });

  it('does not send the client secret', async () => {
    const endpoint = answering(200);
    const config = aConfig({ clientSecret: 'for client applications' });
    await aDeliverer({ endpoint, stored: { ...UNTROUBLED, config } }).deliver();
    expect(endpoint.requests).toHaveLength(1);
    const sent = JSON.stringify(endpoint.requests);
    expect(sent).not.toContain('for client applications');
    expect(sent).not.toContain(config.clientSecret?.sealed);
  });

  it('sends the integration’s own headers, beside those of the contract', async () => {
    const endpoint = answering(200);
    await aDeliverer({ endpoint }).deliver();
    const headers = { 'X-Api-Key': 'a key', Authorization: 'Bearer a token' };
    const stored = { ...UNTROUBLED, config: aConfig({ headers }) };
    await aDeliverer({ endpoint, stored }).deliver();
    const [without, sent] = endpoint.requests;
    expect(sent).toEqual({ ...without, headers: { ...without?.headers, ...headers } });
  });

  it('keeps no value of the own headers that the answer repeats', async () => {
    const answer = redirecting('hooks.example.com/a-long-key/in', 'key: a-long-key');
    const endpoint = new ScriptedWebhookEndpoint(() => answer);
    const config = aConfig({ headers: { 'X-Api-Key': 'a-long-key' } });
    const { deliver, log } = aDeliverer({ endpoint, stored: { ...UNTROUBLED, config } });
    await deliver();
    expect(log.attempts[0]?.outcome.result).toMatchObject({
      responseStart: 'key: [FILTERED]',
      location: 'hooks.example.com/[FILTERED]/in',
    });
  });

  it('sends the same id and body again, with another timestamp and signature', async () => {
    const endpoint = new ScriptedWebhookEndpoint();
    let now = NOON;
    const { deliver } = aDeliverer({ endpoint, now: () => now });
    await deliver();
    now = new Date(NOON.getTime() + 60_000);
    await deliver();
    const [first, second] = endpoint.requests;
    const differing = Object.keys(first?.headers ?? {}).filter(
      (name) => first?.headers[name] !== second?.headers[name],
    );
    expect(differing).toEqual(['webhook-timestamp', 'webhook-signature']);
    expect(second?.body).toBe(first?.body);
  });

  it('drops an event whose integration is deleted, without an attempt', async () => {
    const { deliver, log } = aDeliverer({ stored: 'deleted' });
    expect(await deliver()).toEqual({ kind: 'dropped', because: 'deleted' });
    expect(log.deliveries).toEqual([]);
  });

  it.each([
    ['event', { kind: 'dropped', because: 'delivered-before' }],
    ['manual', { kind: 'delivered' }],
  ] as const)(
    'sends a confirmed event again only if somebody asks: %s',
    async (trigger, result) => {
      const { deliver, log } = aDeliverer({ endpoint: answering(200) });
      const message = queued(2, { trigger });
      await log.record(anAttempt({ event: message.delivery.event }));
      expect(await deliver(message)).toMatchObject(result);
      expect(log.attempts).toHaveLength(result.kind === 'dropped' ? 1 : 2);
    },
  );

  it.each(['account', 'integration'])('finds no integration of another %s', async (key) => {
    const { deliver } = aDeliverer();
    expect(await deliver(queued(1, { [key]: 'another' }))).toMatchObject({ kind: 'dropped' });
  });

  it('fails before anything is sent when the integration cannot be read', async () => {
    const { deliver, integrations } = aDeliverer();
    integrations.find = () => Promise.reject(new Error('throttled'));
    await expect(deliver()).rejects.toThrow('throttled');
  });

  it('records the attempt: when, how long, what came of it', async () => {
    const { endpoint, now } = answeringAfter40Ms(202, 'thanks');
    const { deliver, log } = aDeliverer({ endpoint, now });
    const attempt = {
      account: 'acme',
      integration: INTEGRATION,
      event: aDelivery().event,
      number: 1,
      trigger: 'event',
      startedAt: NOON,
      durationMs: 40,
      outcome: { class: 'delivered', result: answered(202, 'thanks') },
    };
    expect(await deliver()).toEqual({
      kind: 'delivered',
      made: { attempt, request: endpoint.requests[0] },
      endedTrouble: false,
    });
    expect(log.attempts).toEqual([attempt]);
  });

  it.each([
    [1, aDelivery(), 1, 'event'],
    [1, aDelivery({ trigger: 'rerouted' }), 1, 'event'],
    [1, aDelivery({ trigger: 'replay', priorAttempts: 41 }), 42, 'replay'],
    [1, aDelivery({ trigger: 'manual', priorAttempts: 5 }), 6, 'manual'],
    [1, aDelivery({ trigger: 'replay', priorAttempts: 3, backoff: backoff() }), 4, 'backoff'],
    [1, aDelivery({ trigger: 'manual', priorAttempts: 6, backoff: backoff() }), 7, 'backoff'],
    [3, aDelivery(), 1, 'event'],
    [2, aDelivery({ trigger: 'replay', priorAttempts: 41 }), 42, 'replay'],
  ] as const)('records the number and the trigger at receive %i', async (...row) => {
    const [receiveCount, delivery, number, trigger] = row;
    const { deliver, log } = aDeliverer({ endpoint: answering(200) });
    await deliver(queued(receiveCount, delivery));
    expect(log.attempts).toMatchObject([{ number, trigger }]);
  });

  it.each([
    [aDelivery(), 3],
    [aDelivery({ trigger: 'rerouted' }), 3],
    [aDelivery({ trigger: 'replay', priorAttempts: 41 }), 44],
    [aDelivery({ trigger: 'manual', priorAttempts: 5 }), 8],
  ])('counts on from the attempts in the log', async (delivery, number) => {
    const { deliverAgain, log } = aDeliverer({ endpoint: answering(200) });
    await deliverAgain(queued(3, delivery));
    expect(log.attempts.at(-1)).toMatchObject({ number, trigger: 'backoff' });
  });

  it('records when the message of a backoff becomes visible', async () => {
    const { deliver, log } = aDeliverer(answeringAfter40Ms(504));
    const nextAttemptAt = new Date('2026-11-20T12:00:15.040Z');
    expect(await deliver()).toMatchObject({ nextAttemptAt });
    expect(log.attempts).toMatchObject([{ durationMs: 40, nextAttemptAt }]);
  });

  it('succeeds although the delivery log fails', async () => {
    const recordingFault = new Error('throttled');
    const { deliver, log } = aDeliverer({ endpoint: answering(200) });
    Object.assign(log, { write: () => Promise.reject(recordingFault) });
    expect(await deliver()).toMatchObject({
      kind: 'delivered',
      made: { attempt: { outcome: { class: 'delivered' } }, recordingFault },
    });
  });

  it('forgets earlier transient results and refusals with the first success', async () => {
    const stored = { ...UNTROUBLED, streak: streak({ transients: 7, refusals: 2 }) };
    const { deliver, integrations } = aDeliverer({ stored, endpoint: answering(200) });
    await deliver();
    expect(integrations.all).toEqual([{ ...UNTROUBLED, confirmedAt: NOON.toISOString() }]);
  });

  it('calls no state, schedules, stored events and replays without trouble', async () => {
    const names = ['states', 'schedules', 'pendingEvents', 'setAsideEvents', 'slots', 'replays'];
    const reached = Object.fromEntries(names.map((name) => [name, untouchable(name)]));
    const { deliver } = aDeliverer({ endpoint: answering(200), reached });
    expect(await deliver()).toMatchObject({ kind: 'delivered', endedTrouble: false });
  });

  it.each([
    ['is delivered', UNTROUBLED],
    ['is dropped', 'deleted' as const],
  ])('takes back what an earlier receive has stored when the event %s', async (_case, stored) => {
    const { deliver, pendingEvents } = aDeliverer({ stored, endpoint: answering(200) });
    await pendingEvents.put(aDelivery({ priorAttempts: 1 }), A_MESSAGE);
    await deliver(queued(2));
    expect(pendingEvents.of(INTEGRATION)).toEqual([]);
  });
});
