import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { CustomerWebhook } from '../support/journey/customer-webhook.ts';
import type { ApiReply } from '../support/journey/platform-of.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { isAuthentic } from '../support/receiver/received-deliveries.ts';
import type { ReceivedRequest } from '../support/receiver/received-requests.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();

const NEW_SECRET = 'a new secret, of my own choice';

/** Whether the standardwebhooks library verifies a request with a secret. */
const verifies = ({ body, headers }: ReceivedRequest, secret: string): boolean => {
  const format = secret.startsWith('whsec_') ? undefined : ('raw' as const);
  try {
    new Webhook(secret, { format }).verify(body.toString(), { ...headers });
    return true;
  } catch {
    return false;
  }
};

const signatureCount = ({ headers }: ReceivedRequest): number =>
  headers['webhook-signature']?.split(' ').length ?? 0;

const rotate = async (webhook: CustomerWebhook, body?: unknown): Promise<string> => {
  const reply = await webhook.post('/rotate-secret', body);
  expect(reply.status).toBe(200);
  return (reply.document.config as { nextWebhookSecret: string }).nextWebhookSecret;
};

const switchSecret = async (webhook: CustomerWebhook, body: object): Promise<ApiReply> => {
  const reply = await webhook.post('/switch-secret', body);
  expect(reply.status).toBe(200);
  return reply;
};

/** Publishes an event and returns the request that the endpoint receives. */
const send = async ({ customer, deliveries }: CustomerWebhook): Promise<ReceivedRequest> => {
  const event = customer.sampleEvent();
  await customer.publish(event);
  await deliveries.each([event]);
  const request = deliveries.all.find(({ body }) => body.includes(event.id));
  if (request === undefined) throw new Error('It did not arrive.');
  return request;
};

/** Publishes events until it is stopped, four at a time. */
const streamOf = ({ customer, deliveries }: CustomerWebhook) => {
  let isOn = true;
  const ended = (async () => {
    while (isOn) {
      const some = customer.sampleEvents(4);
      await customer.publish(...some);
      await deliveries.each(some);
    }
  })();
  return {
    /** Resolves when so many more have arrived. */
    more: (count: number) => deliveries.count(deliveries.all.length + count),
    stop: () => {
      isOn = false;
      return ended;
    },
  };
};

describe.concurrent('A webhook secret', () => {
  it.each([
    ['webhook-signature', verifies],
    ['X-Service-Signature', isAuthentic],
  ])('is rotated, and again, and its receiver verifies each %s', async (header, isVerified) => {
    const path = `/handover/${header}`;
    const webhook = await CustomerWebhook.at(receiver, path);
    let secrets = [webhook.secret];
    const unverified: ReceivedRequest[] = [];
    receiver.behave(path, (connection, request) => {
      if (!secrets.some((secret) => isVerified(request, secret))) unverified.push(request);
      return answer(204)(connection, request);
    });
    const stream = streamOf(webhook);

    await stream.more(8);
    for (let rotation = 0; rotation < 2; rotation += 1) {
      const secret = await rotate(webhook);
      // As receivers do it: the old one for a while, then both, then the new one.
      await stream.more(12);
      secrets = [...secrets, secret];
      await stream.more(12);
      await switchSecret(webhook, { webhookSecret: secret });
      await stream.more(12);
      secrets = [secret];
      await stream.more(12);
    }
    await stream.stop();

    expect(unverified).toEqual([]);
    expect(await webhook.read()).toMatchObject({ status: 'active' });
  });

  it('from before signs no longer than its overlap lasts', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/expires');
    const secret = await rotate(webhook);
    const reply = await switchSecret(webhook, { webhookSecret: secret, overlapSeconds: 3 });
    const endsAt = Date.parse(String(reply.document.previousSecretExpiresAt)) / 1_000;

    let request = await send(webhook);
    for (; signatureCount(request) === 2; request = await send(webhook)) {
      expect(verifies(request, webhook.secret)).toBe(true);
      expect(Number(request.headers['webhook-timestamp'])).toBeLessThan(endsAt);
    }

    expect(Number(request.headers['webhook-timestamp']) + 1).toBeGreaterThan(endsAt);
    expect(verifies(request, secret)).toBe(true);
    expect(verifies(request, webhook.secret)).toBe(false);
    expect(await webhook.read()).not.toHaveProperty('previousSecretExpiresAt');
  });

  it('ends a failure, and signs what was pending with the new secret', async () => {
    const path = '/failed';
    const webhook = await CustomerWebhook.at(receiver, path);
    receiver.behave(path, (connection, request) =>
      answer(isAuthentic(request, NEW_SECRET) ? 204 : 403)(connection, request),
    );
    const events = webhook.customer.sampleEvents(7);
    await webhook.customer.publish(...events);
    await webhook.becomes('failed');

    await rotate(webhook, { webhookSecret: NEW_SECRET });
    const reply = await switchSecret(webhook, { webhookSecret: NEW_SECRET });

    expect(reply.document).toMatchObject({ status: 'active', isHealthy: true });
    expect(reply.document).not.toHaveProperty('failure');
    for (const event of events) {
      await webhook.deliveryThat(event, ({ outcome, isPending }) => {
        return outcome === 'delivered' && !isPending;
      });
    }
    const confirmed = webhook.deliveries.all.filter((request) => isAuthentic(request, NEW_SECRET));
    expect(confirmed.filter((request) => !verifies(request, webhook.secret))).toEqual([]);
    expect(await webhook.becomes('active')).not.toHaveProperty('failure');
    expect(await webhook.pending()).toEqual([]);
  });
});
